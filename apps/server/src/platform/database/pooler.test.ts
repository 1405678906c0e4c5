import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { findPooler, startPooler } from "@arcada/testing/peers/pgbouncer";
import { present } from "@arcada/testing/require-present";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { notifyOnCommit, openDatabase, sendPipelined } from "./database.ts";
import { requireTenantRole } from "./connection-pool.ts";
import { prepared } from "./prepared-statements.ts";

const kinds = [
  { title: "that keeps prepared statements", max_prepared_statements: 200 },
  { title: "that keeps few of the prepared statements", max_prepared_statements: 1 },
  { title: "that keeps no prepared statements", max_prepared_statements: 0 },
];

describe.each(kinds)("behind PgBouncer in transaction mode $title", ({ max_prepared_statements }) => {
  it("shows each organisation its own rows alone, whichever session of the server answers", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements });
    if ("skipped" in pooled) return skip(pooled.skipped);
    const clinicians = await Promise.all([1, 2, 3, 4].map(() => createClinician(pooled.database)));
    const counters = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => {
        const { iid, uid } = present(clinicians[turn % clinicians.length]);
        return pooled.database.as({ system: false, iid, uid }, async (db) => {
          const row = { institution_id: iid, last: 1, living: 1 };
          await db
            .insertInto("patient_counter")
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          const seen = await db.selectFrom("patient_counter").select("institution_id").execute();
          return seen.map(({ institution_id }) => institution_id === iid).join();
        });
      }),
    );
    expect(new Set(counters)).toEqual(new Set(["true"]));
  });

  it("leaves nothing in a session that the next client would inherit", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements, default_pool_size: 1 });
    if ("skipped" in pooled) return skip(pooled.skipped);
    const { iid, uid } = await createClinician(pooled.database);
    await pooled.database.as({ system: false, iid, uid, service: true }, (db) => sql`${prepared} select 1`.execute(db));
    const other = new pg.Client(pooled.connection);
    await other.connect();
    const { rows } = await other.query(
      `select current_user as role, current_setting('arcada.iid', true) as iid, current_setting('statement_timeout') as limit,
        (select count(*)::int from pg_prepared_statements where name not like 'PGBOUNCER_%') as prepared`,
    );
    await other.end();
    expect(rows).toEqual([{ role: pooled.connection.user, iid: "", limit: "0", prepared: 0 }]);
  });

  it("answers a statement that is prepared elsewhere with the statement's own rows", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements, default_pool_size: 1 });
    if ("skipped" in pooled) return skip(pooled.skipped);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        pooled.database.queryAsSystem(
          turn % 2 === 0 ? sql`${prepared} select 'even' as turn` : sql`${prepared} select 'odd' as turn`,
        ),
      ),
    );
    expect(answers.map(([row]) => row)).toEqual(
      Array.from({ length: 12 }, (_, turn) => ({ turn: turn % 2 === 0 ? "even" : "odd" })),
    );
  });

  it("answers a statement again that was first sent in a transaction that had failed", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements, default_pool_size: 1 }, 1);
    if ("skipped" in pooled) return skip(pooled.skipped);
    const { database } = pooled;
    const read = sql`${prepared} select 'again' as turn`;
    const failed = database.asSystem(async (db) => {
      sendPipelined(db, sql`select 1 / 0`);
      await read.execute(db);
    });
    await expect(failed).rejects.toThrow("division by zero");
    expect(await database.queryAsSystem(read)).toEqual([{ turn: "again" }]);
  });

  it("answers a statement again whose columns have changed, after one failure", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements }, 1);
    if ("skipped" in pooled) return skip(pooled.skipped);
    const { database } = pooled;
    const owner = new pg.Client(database.direct);
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query("create table changing (id int); grant select on changing to arcada_system");
    const read = () => database.queryAsSystem(sql`${prepared} select * from changing`);
    expect(await read()).toEqual([]);
    await owner.query("alter table changing add column name text; insert into changing values (1, 'new')");
    await read().catch(() => {});
    expect(await read()).toEqual([{ id: 1, name: "new" }]);
  });

  it("notifies a listener that is connected directly", async ({ skip }) => {
    const pooled = await openPooledDatabase({ max_prepared_statements });
    if ("skipped" in pooled) return skip(pooled.skipped);
    const listener = new pg.Client(pooled.database.direct);
    const heard = new Promise((resolve) => listener.once("notification", ({ payload }) => resolve(payload)));
    await listener.connect();
    await listener.query("listen arcada_live");
    await pooled.database.asSystem(async (db) => notifyOnCommit(db, JSON.stringify({ topic: "news" })));
    expect(JSON.parse(String(await heard))).toMatchObject({ topic: "news" });
    await listener.end();
  });
});

it("prepares a statement once in a session of the server for all clients of PgBouncer", async ({ skip }) => {
  const pooled = await openPooledDatabase({ max_prepared_statements: 200, default_pool_size: 1 });
  if ("skipped" in pooled) return skip(pooled.skipped);
  const mark = "counted once";
  const turns = Array.from({ length: 12 }, () =>
    pooled.database.queryAsSystem(sql`${prepared} select ${sql.lit(mark)}`),
  );
  await Promise.all(turns);
  const [counted] = await pooled.database.queryAsSystem(
    sql`select count(*), min(name) like 'PGBOUNCER_%' as renamed from pg_prepared_statements where statement like ${`%${mark}%`}`,
  );
  expect(counted).toEqual({ count: 1, renamed: true });
});

it("a pooler is refused without DATABASE_DIRECT_URL, if it ignores the role of a connection", async ({ skip }) => {
  const { connection } = await createTestDatabase();
  const pooler = await startPooler(connection, { ignore_startup_parameters: "options" });
  if ("skipped" in pooler) return skip(pooler.skipped);
  const database = openDatabase(pooler.connection, 1);
  onTestFinished(() => database.close().then(() => pooler.stop()));
  await expect(requireTenantRole(database.pool)).rejects.toThrow("set DATABASE_DIRECT_URL");
});

async function openPooledDatabase(settings: Record<string, number>, connections = 8) {
  const found = findPooler(settings);
  if ("skipped" in found) return found;
  const { connection } = await createTestDatabase();
  const pooler = await startPooler(connection, settings);
  if ("skipped" in pooler) return pooler;
  const database = openDatabase(connection, connections, { pooler: pooler.connection });
  onTestFinished(() => database.close().then(() => pooler.stop()));
  return { database, connection: pooler.connection };
}
