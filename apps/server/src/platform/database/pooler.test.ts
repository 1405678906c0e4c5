import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPooler } from "@arcada/testing/peers/pgbouncer";
import { present } from "@arcada/testing/require-present";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { notifyOnCommit, openDatabase } from "./database.ts";
import type { Database } from "./database.ts";
import { requireTenantRole } from "./connection-pool.ts";
import { prepared } from "./prepared-statements.ts";

describe("behind PgBouncer in transaction mode", () => {
  it("shows each organisation its own rows alone, whichever session of the server answers", async ({ skip }) => {
    const pooled = await openPooledDatabase();
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
    const pooled = await openPooledDatabase({ default_pool_size: 1 });
    if ("skipped" in pooled) return skip(pooled.skipped);
    const { iid, uid } = await createClinician(pooled.database);
    await pooled.database.as({ system: false, iid, uid, service: true }, (db) => sql`${prepared} select 1`.execute(db));
    const other = new pg.Client(pooled.connection);
    await other.connect();
    const { rows } = await other.query(
      `select current_user as role, current_setting('arcada.iid', true) as iid, current_setting('statement_timeout') as limit,
        (select count(*)::int from pg_prepared_statements) as prepared`,
    );
    await other.end();
    expect(rows).toEqual([{ role: pooled.connection.user, iid: "", limit: "0", prepared: 0 }]);
  });

  it("answers a statement that is prepared elsewhere with the statement's own rows", async ({ skip }) => {
    const pooled = await openPooledDatabase({ default_pool_size: 1 });
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

  it("notifies a listener that is connected directly", async ({ skip }) => {
    const pooled = await openPooledDatabase();
    if ("skipped" in pooled) return skip(pooled.skipped);
    const listener = new pg.Client(pooled.database.direct);
    const heard = new Promise((resolve) => listener.once("notification", ({ payload }) => resolve(payload)));
    await listener.connect();
    await listener.query("listen arcada_live");
    await pooled.database.asSystem(async (db) => notifyOnCommit(db, '{"news":1}'));
    expect(JSON.parse(String(await heard))).toMatchObject({ news: 1 });
    await listener.end();
  });

  it("is refused without DATABASE_DIRECT_URL, if it ignores the role of a connection", async ({ skip }) => {
    const { connection } = await createTestDatabase();
    const pooler = await startPooler(connection, { ignore_startup_parameters: "options" });
    if ("skipped" in pooler) return skip(pooler.skipped);
    const database = openDatabase(pooler.connection, 1);
    onTestFinished(() => database.close().then(() => pooler.stop()));
    await expect(requireTenantRole(database.pool)).rejects.toThrow("set DATABASE_DIRECT_URL");
  });
});

describe("where a connection has no session and its login owns the tables, a begin that fails", () => {
  const scope = { system: false, iid: null, uid: null } as const;
  const everyCounter = sql`update patient_counter set last = 9`;
  const ways: [name: string, run: (database: Database) => Promise<unknown>][] = [
    ["a transaction", (database) => database.as(scope, (db) => everyCounter.execute(db))],
    [
      "a pipelined query",
      (database) =>
        database.queryAndWrite(scope, { queries: [sql`select 1`], writes: [everyCounter], read: (rows) => rows }),
    ],
  ];

  it.each(ways)("keeps the statements of %s from being run outside row-level security", async (_name, run) => {
    const database = await openWithFailingBegin("begin nonsense");
    await expect(run(database)).rejects.toMatchObject({ code: "42601" });
    expect(await readCounters(database)).toEqual([{ last: 1 }]);
  });

  it.each(ways)("half way in %s leaves nothing to the next transaction of the connection", async (_name, run) => {
    const database = await openWithFailingBegin("begin; set local role arcada_unknown");
    await expect(run(database)).rejects.toMatchObject({ code: "22023" });
    expect(await readCounters(database)).toEqual([{ last: 1 }]);
  });
});

const readCounters = (database: Database) => database.queryAsSystem(sql`select last from patient_counter`);

/** A database with one counter and one connection, which sends `failing` instead of its next begin. */
async function openWithFailingBegin(failing: string): Promise<Database> {
  const { connection } = await createTestDatabase();
  const database = openDatabase(connection, 1, { pooler: connection });
  onTestFinished(() => database.close());
  const { iid } = await createClinician(database);
  await database.asSystem((db) =>
    db.insertInto("patient_counter").values({ institution_id: iid, last: 1, living: 1 }).execute(),
  );
  const client = await database.pool.connect();
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  let hasFailed = false;
  const failOnce = (statement: string | pg.QueryConfig, ...values: unknown[]) => {
    const text = typeof statement === "string" ? statement : statement.text;
    if (hasFailed || !text.startsWith("begin")) return query(statement, ...values);
    hasFailed = true;
    return query(failing);
  };
  client.query = failOnce as typeof client.query;
  client.release();
  return database;
}

async function openPooledDatabase(settings: Record<string, number> = {}) {
  const { connection } = await createTestDatabase();
  const pooler = await startPooler(connection, settings);
  if ("skipped" in pooler) return pooler;
  const database = openDatabase(connection, 8, { pooler: pooler.connection });
  onTestFinished(() => database.close().then(() => pooler.stop()));
  return { database, connection: pooler.connection };
}
