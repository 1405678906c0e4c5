import { sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { dropOldDeliveries } from "../../integrations/webhook.queue.ts";
import { createFolderTarget } from "../backup-target/folder-target.ts";
import type { StoredBackup } from "../backup/backup-manifest.ts";
import { backUpRows } from "../backup/row-backup.ts";
import { restoreRows } from "../backup/row-restore.ts";
import type { Database } from "./database.ts";
import { addPartitions } from "./partitions.ts";

const query = async <T>(database: Database, statement: string): Promise<T[]> =>
  (await database.asSystem((db) => sql.raw<T>(statement).execute(db))).rows;

async function asOwner(connection: pg.PoolConfig, ...statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a clinic with a webhook and two deliveries of each given age in days. */
async function createDeliveries(database: Database, ages: number[]) {
  const member = await createClinician(database);
  const [iid, webhook] = [`'${member.iid}'::uuid`, "'00000000-0000-7000-8000-000000000001'::uuid"];
  await query(
    database,
    `insert into webhook (institution_id, id, name, url, events, secret, created_by)
      values (${iid}, ${webhook}, 'probe', 'https://receiver.test', '{}', '', '${member.uid}')`,
  );
  for (const age of ages) {
    const at = `now() - interval '${age} days'`;
    await query(database, `select arcada_add_partition('webhook_delivery', ${at})`);
    await query(
      database,
      `insert into webhook_delivery (institution_id, webhook_id, id, event, body, state, created_at)
        select ${iid}, ${webhook}, gen_random_uuid(), 'order.moved', '${age}', 'delivered', ${at} from generate_series(1, 2)`,
    );
  }
  return member;
}

it("the coming partitions exist before they are needed, and one that is missing is made again", async () => {
  const { database, connection } = await createTestDatabase();
  const ends =
    "select extract(epoch from max(ends) - now()) / 86400 as days from arcada_partitions('webhook_delivery')";
  expect(Number((await query<{ days: string }>(database, ends))[0]?.days)).toBeGreaterThan(56);
  expect(await addPartitions(database)).toBe(0);
  const [next] = await query<{ name: string }>(
    database,
    "select name from arcada_partitions('audit') where begins > now() limit 1",
  );
  await asOwner(connection, `drop table ${next?.name}`);
  expect(await addPartitions(database)).toBe(1);
});

it("the weeks of deliveries whose time is over are dropped whole, the next one stays", async () => {
  const { database, connection } = await createTestDatabase();
  await createDeliveries(database, [45, 38, 29, 0]);
  await asOwner(
    connection,
    "create function refuse() returns trigger language plpgsql as $$ begin raise 'a row was deleted'; end $$",
    "create trigger refuse before delete on webhook_delivery for each row execute function refuse()",
  );
  expect(await dropOldDeliveries(database)).toBe(2);
  const kept = await query<{ body: string }>(database, "select distinct body from webhook_delivery order by body");
  expect(kept.map(({ body }) => body)).toEqual(["0", "29"]);
});

it("another organisation sees no row of any partition, neither through the table nor directly", async () => {
  const { database } = await createTestDatabase();
  const mine = await createDeliveries(database, [20, 0]);
  const other = await createClinician(database);
  const count = (who: { iid: string; uid: string }, table: string) =>
    database.as({ system: false, ...who }, async (db) =>
      Number((await sql.raw<{ n: string }>(`select count(*) as n from ${table}`).execute(db)).rows[0]?.n),
    );
  expect(await count(mine, "webhook_delivery")).toBe(4);
  expect(await count(other, "webhook_delivery")).toBe(0);
  for (const { name } of await query<{ name: string }>(
    database,
    "select name from arcada_partitions('webhook_delivery')",
  ))
    await expect(count(mine, name)).rejects.toMatchObject({ code: "42501" });
});

it("no role of the server drops a current partition, or anything but a partition", async () => {
  const { database } = await createTestDatabase();
  const [current] = await query<{ name: string }>(database, "select name from arcada_partitions('audit')");
  for (const [table, child] of [
    ["audit", current?.name],
    ["audit", "users"],
    ["users", "users"],
  ])
    await expect(query(database, `select arcada_drop_partition('${table}', '${child}')`)).rejects.toMatchObject({
      code: "23001",
    });
});

it("a temporary table of the same name makes no current partition old enough", async () => {
  const { database, connection } = await createTestDatabase();
  const names = "select name from arcada_partitions('public.audit')";
  const before = await query<{ name: string }>(database, names);
  const attack = asOwner(
    connection,
    "set role arcada_system",
    "create temporary table audit (at timestamptz) partition by range (at)",
    `create temporary table ${before[0]?.name} partition of audit for values from ('2000-01-01') to ('2001-01-01')`,
    `select arcada_drop_partition('pg_temp.audit', '${before[0]?.name}')`,
  );
  await expect(attack).rejects.toMatchObject({ code: "23001" });
  expect(await query(database, names)).toEqual(before);
});

/** Makes a year of the audit log with these sealed rows. */
async function createAuditYear(database: Database, rows: number[]): Promise<void> {
  await query(database, "select arcada_add_partition('audit', '2019-05-05')");
  for (const row of rows)
    await query(
      database,
      `insert into audit (action, at, seq, hash) values ('probe', '2019-05-05', ${row}, '${"a".repeat(43)}')`,
    );
}
const gapOfFirstRow = "insert into audit_gap values (1, 1, 'seal', 'audit_2019', now(), 'key', 'signature')";
const drop2019 = "select arcada_drop_partition('audit', 'audit_2019')";

it("a year of the audit log stays without a gap that the same transaction has recorded", async () => {
  const { database } = await createTestDatabase();
  await createAuditYear(database, [1]);
  await expect(query(database, drop2019)).rejects.toMatchObject({ code: "23001" });
  await query(database, gapOfFirstRow);
  await expect(query(database, drop2019)).rejects.toMatchObject({ code: "23001" });
});

it("a year of the audit log stays if one of its entries lies in no gap", async () => {
  const { database } = await createTestDatabase();
  await createAuditYear(database, [1, 7]);
  const attempt = database.asSystem(async (db) => {
    await sql.raw(gapOfFirstRow).execute(db);
    await sql.raw(drop2019).execute(db);
  });
  await expect(attempt).rejects.toMatchObject({ code: "23001" });
});

it("a restore makes the partitions of the backup, with their indexes and triggers", { timeout: 120_000 }, async () => {
  const [source, target] = [await createTestDatabase(), await createTestDatabase()];
  await createDeliveries(source.database, [400, 0]);
  await query(source.database, "select arcada_add_partition('audit', '2019-05-05')");
  await query(
    source.database,
    `insert into audit (action, at, seq, hash) values ('probe', '2019-05-05', 1, '${"a".repeat(43)}')`,
  );
  const place = { target: createFolderTarget(source.folder), key: null };
  const client = new pg.Client(source.connection);
  await client.connect();
  const { parts } = await backUpRows(client, place, "probe");
  await client.end();
  const manifest = { database: parts, migrations: [], startedAt: "now" };
  await restoreRows(target.connection, place, { name: "probe", manifest } as unknown as StoredBackup);
  const bodies = await query<{ body: string }>(target.database, "select body from webhook_delivery order by body");
  expect(bodies.map(({ body }) => body)).toEqual(["0", "0", "400", "400"]);
  const indexes = "select count(*)::int as n from pg_index where indrelid = 'audit_2019'::regclass and indisvalid";
  const expected = await query<{ n: number }>(source.database, indexes);
  expect(expected[0]?.n).toBeGreaterThan(5);
  expect(await query(target.database, indexes)).toEqual(expected);
  const change = "update audit set action = 'changed' where seq = 1";
  await expect(asOwner(target.connection, "set role arcada_system", change)).rejects.toThrow("cannot be changed");
});
