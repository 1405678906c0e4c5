import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { copyOut } from "./postgres-copy-streams.ts";

it("leaves the connection usable after a COPY that its reader begins late, or does not read to the end", async () => {
  const { connection } = await createTestDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  // More than the stream buffers, in as few packets that the last one also carries the end.
  for (const rows of [1, 700, 1000, 1200, 50_000]) {
    const lines = copyOut(client, `copy (select repeat('x', 99) from generate_series(1, ${rows})) to stdout`);
    await sleep(50);
    let bytes = 0;
    for await (const chunk of lines) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(100 * rows);
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  }
  const unread = copyOut(client, "copy (select repeat('x', 99) from generate_series(1, 50000)) to stdout");
  await sleep(50);
  unread.destroy();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await client.end();
});
