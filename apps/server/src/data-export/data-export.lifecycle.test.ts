import { sql } from "kysely";
import { readdir, truncate } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import { files } from "../platform/runtime/services.ts";
import { purgeExpiredTransfers } from "./data-export.purge.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

it("a finished export is kept for exactly seven days", async () => {
  const env = await getTestServer();
  const { clinic } = await setup();
  const { database } = env.running;
  let exportJob = await clinic.call("leaving.export", {});
  for (let round = 0; exportJob.state !== "done" && round < 200; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    exportJob = await clinic.call("leaving.exportJob", { id: exportJob.id });
  }
  const { sha256 } = await database.asSystem((db) =>
    db.selectFrom("taking").select("sha256").where("id", "=", exportJob.id).executeTakeFirstOrThrow(),
  );
  const isThere = async () => (await files().bytes("converted", clinic.iid, present(sha256))) !== null;
  const leave = (left: string) =>
    database.asSystem((db) =>
      sql`update taking set expires_at = now() + ${left}::interval where id = ${exportJob.id}`.execute(db),
    );
  const days =
    (Date.parse(present(exportJob.expiresAt, "expiresAt")) - Date.parse(present(exportJob.finishedAt, "finishedAt"))) /
    86_400_000;
  expect(days).toBeCloseTo(7, 3);
  await leave("1 second");
  await purgeExpiredTransfers(database);
  expect(await isThere()).toBe(true);
  await leave("-1 second");
  await purgeExpiredTransfers(database);
  expect(await isThere()).toBe(false);
  expect(await clinic.call("leaving.exportJob", { id: exportJob.id })).toMatchObject({ state: "expired", url: null });
});

it("an export is refused while another one runs, and a running export can be cancelled", async () => {
  const env = await getTestServer();
  const { clinic } = await setup();
  await env.running.database.asSystem((db) =>
    sql`insert into taking (institution_id, id, kind, state, language, created_by)
      values (${clinic.iid}, gen_random_uuid(), 'everything', 'running', 'en', ${clinic.uid})`.execute(db),
  );
  expect(refusalOf(await clinic.ask("leaving.export", {}))).toBe("exportRuns");
  const [running] = await clinic.call("leaving.exports", {});
  expect((await clinic.call("leaving.cancelExport", { id: running.id })).state).toBe("cancelled");
  expect((await clinic.ask("leaving.export", {})).status).toBe(200);
});

it("a cancelled export stops in the middle of a large file, and leaves no part of the archive behind", async () => {
  const env = await getTestServer();
  const { clinic } = await setup();
  const { database } = env.running;
  const { sha256 } = await files().put("originals", clinic.iid, Buffer.from("a volume"));
  const large = await files().local("originals", clinic.iid, sha256, async (place) => place);
  const store = large.slice(0, large.indexOf(`${path.sep}originals${path.sep}`));
  // A sparse file: it has a large length and takes no space on the disk.
  const bytes = 30_000_000_000;
  await truncate(large, bytes);
  await database.asSystem((db) =>
    sql`insert into stored_file (institution_id, sha256, bytes) values (${clinic.iid}, ${sha256}, ${bytes})`.execute(
      db,
    ),
  );
  const { id } = await clinic.call("leaving.export", {});
  const written = () => readdir(path.join(store, ".incoming"));
  await expect
    .poll(() => clinic.call("leaving.exportJob", { id }), { timeout: 20_000 })
    .toMatchObject({ state: "running" });
  await expect.poll(written, { timeout: 20_000 }).toHaveLength(1);
  expect(await clinic.call("leaving.cancelExport", { id })).toMatchObject({ state: "cancelled" });
  await expect.poll(written, { timeout: 10_000 }).toEqual([]);
  expect(await clinic.call("leaving.exportJob", { id })).toMatchObject({ state: "cancelled", url: null });
  await expect(readdir(path.join(store, "converted", clinic.iid))).rejects.toThrow("ENOENT");
});
