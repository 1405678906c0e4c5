import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { present } from "@arcada/testing/require-present";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { retryOnConflict } from "./retry.ts";
import { auditWithCommit } from "../audit/audit.ts";
import { bypassTenantScope, openDatabase, queryPipelined, runOnCommit, sendPipelined } from "./database.ts";
import type { Db } from "./database.ts";
import { prepared } from "./prepared-statements.ts";

describe("a transaction within the tenant scope", () => {
  it("keeps nothing when a statement that is sent with the commit fails, and reports why", async () => {
    const { database } = await createTestDatabase();
    const { iid, uid } = await createClinician(database);
    const writes = database.as({ system: false, iid, uid }, async (db) => {
      await db.insertInto("patient_counter").values({ institution_id: iid, last: 1, living: 1 }).execute();
      runOnCommit(db, sql`insert into audit (institution_id, action) values (${iid}, null)`);
    });
    await expect(writes).rejects.toMatchObject({ code: "23502", column: "action" });
    expect(await countersSeen(database, { system: true })).toEqual([]);
  });

  it("writes its audit line with the commit, and none when the work is refused", async () => {
    const { database } = await createTestDatabase();
    const { iid, uid } = await createClinician(database);
    const looks = (action: string, refused = false) =>
      database.as({ system: false, iid, uid }, async (db) => {
        auditWithCommit(db, { institution_id: iid, user_id: uid, action });
        if (refused) throw new Error("refused");
      });
    await looks("patient.list");
    await expect(looks("patient.read", true)).rejects.toThrow("refused");
    const lines = await database.asSystem((db) => db.selectFrom("audit").select("action").execute());
    expect(lines).toEqual([{ action: "patient.list" }]);
  });

  it("keeps nothing when a statement fails that nobody awaited, and reports why", async () => {
    const { database } = await createTestDatabase();
    const { iid, uid } = await createClinician(database);
    const wrong = sql`insert into audit (institution_id, action) values (${iid}, null)`;
    for (const asksOn of [true, false]) {
      const writes = database.as({ system: false, iid, uid }, async (db) => {
        await db.insertInto("patient_counter").values({ institution_id: iid, last: 1, living: 1 }).execute();
        sendPipelined(db, wrong);
        if (asksOn) await db.selectFrom("patient_counter").selectAll().execute();
      });
      await expect(writes).rejects.toMatchObject({ code: "23502", column: "action" });
    }
    expect(await countersSeen(database, { system: true })).toEqual([]);
  });

  it("is retried if the database aborted it in favour of another, and a lasting conflict is reported", async () => {
    const { database } = await createTestDatabase();
    const [begun, held] = [
      [0, 0],
      [0, 0],
    ];
    const holding = Promise.withResolvers<void>();
    // Each has one and wants the other's, once both have theirs.
    const takes = (hand: 0 | 1) =>
      retryOnConflict(() =>
        database.asSystem(async (db) => {
          begun[hand] += 1;
          await sql`select pg_advisory_xact_lock(${1 + hand})`.execute(db);
          held[hand] += 1;
          if (held.every((times) => times > 0)) holding.resolve();
          await holding.promise;
          await sql`select pg_advisory_xact_lock(${2 - hand})`.execute(db);
          return hand;
        }),
      );
    expect(await Promise.all([takes(0), takes(1)])).toEqual([0, 1]);
    expect(begun[0] + begun[1]).toBe(3);
    let tries = 0;
    const never = retryOnConflict(() => Promise.reject(Object.assign(new Error(`${(tries += 1)}`), { code: "40001" })));
    await expect(never).rejects.toThrow("3");
  });

  it("is within the tenant scope again as soon as a bypass ends", async () => {
    const { database } = await createTestDatabase();
    const [mine, theirs] = [await createClinician(database), await createClinician(database)];
    const seen = await database.as({ system: false, ...mine }, async (db) => {
      for (const { iid } of [mine, theirs])
        await bypassTenantScope(db, async () =>
          sendPipelined(db, sql`insert into patient_counter (institution_id, last) values (${iid}, 1)`),
        );
      const over = await bypassTenantScope(db, () =>
        db.selectFrom("patient_counter").select("institution_id").execute(),
      );
      const [behind, again] = await queryPipelined(db, [
        sql<{ iid: string }>`select institution_id as iid from patient_counter`,
        sql<{ n: number }>`select count(*)::int as n from patient_counter`,
      ]);
      return { over: over.length, behind, again };
    });
    expect(seen).toEqual({ over: 2, behind: [{ iid: mine.iid }], again: [{ n: 1 }] });
    const all = sql<{ n: number }>`select count(*)::int as n from patient_counter`;
    expect(await database.queryAsSystem(all)).toEqual([{ n: 2 }]);
    await expect(database.queryAsSystem(sql`select 1 / 0`)).rejects.toMatchObject({ code: "22012" });
  });

  it("queries, writes the audit line and commits in one round trip: no answer without its line, no line for a failed query", async () => {
    const { database } = await createTestDatabase();
    const [mine, theirs] = [await createClinician(database), await createClinician(database)];
    for (const { iid } of [mine, theirs])
      await database.asSystem((db) =>
        db.insertInto("patient_counter").values({ institution_id: iid, last: 1 }).execute(),
      );
    const asks = (action: string | null, question = sql`select institution_id as iid from patient_counter`) =>
      database.queryAndWrite(
        { system: false, ...mine },
        {
          queries: [sql`set local random_page_cost = 1.1`, question],
          writes: [
            sql`insert into audit (institution_id, user_id, action) values (${mine.iid}, ${mine.uid}, ${action})`,
          ],
          read: (rows) => rows,
        },
      );
    expect(await asks("patient.list")).toEqual([{ iid: mine.iid }]);
    await expect(asks(null)).rejects.toMatchObject({ code: "23502", column: "action" });
    await expect(asks("patient.read", sql`select 1 / 0`)).rejects.toMatchObject({ code: "22012" });
    const lines = await database.asSystem((db) => db.selectFrom("audit").select("action").execute());
    expect(lines).toEqual([{ action: "patient.list" }]);
    expect(await countersSeen(database, { system: true })).toEqual([mine.iid, theirs.iid].toSorted());
  });

  it("plans no policy of a table that reads more than three others", async () => {
    const { connection } = await createTestDatabase();
    const client = new pg.Client(connection);
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relrowsecurity and not relispartition and has_table_privilege('arcada_app', oid, 'select')",
    );
    await client.query("set role arcada_app");
    const dear: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain select from "${name}"`);
      const scans = rows.filter((line) =>
        // Partitions of the table itself are no other tables.
        new RegExp(`(Scan|Only Scan)( Backward)?( using \\S+)? on (?!${name}_20)`).test(line["QUERY PLAN"]),
      ).length;
      if (scans > 4) dear.push(`${name}: ${scans}`);
    }
    await client.end();
    expect(tables.length).toBeGreaterThan(100);
    expect(dear).toEqual([]);
  });

  it("asks no function about orders for the rows of one's own studies", async () => {
    const { database, connection } = await createTestDatabase();
    const { iid, uid } = await createClinician(database);
    const client = new pg.Client(connection);
    await client.connect();
    await client.query("set track_functions = 'pl'; begin");
    await client.query(
      `insert into study (institution_id, id, kind, kind_certain, state, count, bytes, created_by)
         values ($1, $1, 'ct', true, 'ready', 1, 1, $2)`,
      [iid, uid],
    );
    await client.query(`set local role arcada_app; select set_config('arcada.iid', '${iid}', true)`);
    const { rows: seen } = await client.query("select id from study");
    const { rows: called } = await client.query(
      "select funcname from pg_stat_xact_user_functions where funcname = 'order_gives_study'",
    );
    await client.end();
    expect([seen.length, called.length]).toEqual([1, 0]);
  });

  it("sends the prepared statements of one tick in a single write", async () => {
    const { database } = await createTestDatabase();
    const ask = (db: Db) => queryPipelined(db, [sql`${prepared} select 1`, sql`${prepared} select 2`]);
    const writes = await database.asSystem(async (db) => {
      await ask(db);
      const spies = (["_write", "_writev"] as const).map((name) => vi.spyOn(Socket.prototype, name));
      await ask(db);
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    });
    vi.restoreAllMocks();
    expect(writes).toBe(1);
  });

  it("continues while another process migrates: a prepared statement with a table's columns is planned again", async () => {
    const { connection } = await createTestDatabase();
    const single = openDatabase(connection, 1);
    const whole = () =>
      retryOnConflict(() =>
        single.asSystem(async (db) => (await sql`${prepared} select * from notice`.execute(db)).rows),
      );
    const asked = () => retryOnConflict(() => single.queryAsSystem(sql`${prepared} select * from notice where true`));
    for (const column of ["later", "later_still"]) {
      expect(await whole()).toEqual([]);
      expect(await asked()).toEqual([]);
      const owner = new pg.Client(connection);
      await owner.connect();
      await owner.query(`alter table notice add column ${column} text`);
      await owner.end();
    }
    expect(await asked()).toEqual([]);
    expect(await whole()).toEqual([]);
    await single.close();
  });

  it("names a prepared statement after its text, so that no other process means another by the name", async () => {
    const { database } = await createTestDatabase();
    const [own] = await database.queryAsSystem(
      sql<{ name: string; statement: string }>`${prepared} select name, statement from pg_prepared_statements
        where statement like '%pg_prepared_statements%'`,
    );
    const hash = createHash("sha256").update(present(own).statement).digest("hex");
    expect(present(own).name).toBe(`arcada_${hash.slice(0, 16)}`);
  });

  it("shows each organisation only its own rows through a prepared statement of one connection", async () => {
    const { database, connection } = await createTestDatabase();
    const [mine, theirs] = [await createClinician(database), await createClinician(database)];
    const single = openDatabase(connection, 1);
    for (const { iid } of [mine, theirs])
      await single.asSystem((db) =>
        db.insertInto("patient_counter").values({ institution_id: iid, last: 1 }).execute(),
      );
    // From the sixth time on PostgreSQL may use one plan for all.
    for (let time = 0; time < 8; time++) {
      expect(await countersSeen(single, { system: false, ...mine })).toEqual([mine.iid]);
      expect(await countersSeen(single, { system: false, ...theirs })).toEqual([theirs.iid]);
      expect(await countersSeen(single, { system: false, iid: null, uid: null })).toEqual([]);
      expect(await countersSeen(single, { system: true })).toEqual([mine.iid, theirs.iid].toSorted());
    }
    await single.close();
  });
});

const countersSeen = (
  database: Parameters<typeof createClinician>[0],
  tenantScope: Parameters<typeof database.as>[0],
) =>
  database.as(tenantScope, async (db) => {
    const { rows } = await sql<{ iid: string }>`${prepared} select institution_id as iid from patient_counter
      where last >= ${0}::int order by 1`.execute(db);
    return rows.map(({ iid }) => iid);
  });
