import { sql } from "kysely";
import { expect, it } from "vitest";
import { server, world } from "../../../../tests/world.ts";
import { files } from "../kernel/services.ts";
import { purgeLeaving } from "./leaving.purge.ts";

it("keeps a finished export for seven days and not a minute longer", async () => {
  const here = await server();
  const { clinic } = await world();
  const { database } = here.running;
  let taking = await clinic.gets("leaving.export", {});
  for (let round = 0; taking.state !== "done" && round < 200; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    taking = await clinic.gets("leaving.exportJob", { id: taking.id });
  }
  const { sha256 } = await database.asSystem((db) =>
    db.selectFrom("taking").select("sha256").where("id", "=", taking.id).executeTakeFirstOrThrow(),
  );
  const isThere = async () => (await files().bytes("converted", clinic.iid!, sha256!)) !== null;
  const leave = (left: string) =>
    database.asSystem((db) =>
      sql`update taking set expires_at = now() + ${left}::interval where id = ${taking.id}`.execute(db),
    );
  const days = (Date.parse(taking.expiresAt!) - Date.parse(taking.finishedAt!)) / 86_400_000;
  expect(days).toBeCloseTo(7, 3);
  await leave("1 second");
  await purgeLeaving(database);
  expect(await isThere()).toBe(true);
  await leave("-1 second");
  await purgeLeaving(database);
  expect(await isThere()).toBe(false);
  expect(await clinic.gets("leaving.exportJob", { id: taking.id })).toMatchObject({ state: "expired", url: null });
});

it("says no to a second export while one runs, and stops one that is not wanted", async () => {
  const here = await server();
  const { clinic } = await world();
  await here.running.database.asSystem((db) =>
    sql`insert into taking (institution_id, id, kind, state, language, created_by)
      values (${clinic.iid}, gen_random_uuid(), 'everything', 'running', 'en', ${clinic.uid})`.execute(db),
  );
  expect((await clinic.asks("leaving.export", {})).status).toBe(409);
  const [running] = await clinic.gets("leaving.exports", {});
  expect((await clinic.gets("leaving.cancelExport", { id: running!.id })).state).toBe("cancelled");
  expect((await clinic.asks("leaving.export", {})).status).toBe(200);
});
