import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertOrders } from "../../bench/data/order-dataset.ts";
import { createClinic, createInstitution } from "../../bench/data/clinic.ts";
import { newId, newSecret } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { createTestDatabase } from "@arcada/testing/setup/test-database";

const page = readFileSync(path.join(import.meta.dirname, "../../docs/developer/distributed-database.md"), "utf8");
const partitions = 4;

/**
 * A distributed PostgreSQL places the rows of an organisation on one node by the hash of `institution_id`. Its limits on
 * keys are those of PostgreSQL's own hash partitions, so that the schema can be tried without it.
 */
describe("the schema, distributed by organisation", () => {
  let client: pg.Client;
  let clinic: { iid: string };
  let lab: { iid: string };
  beforeAll(async () => {
    const { database, connection } = await createTestDatabase();
    const receiver = { iid: newId(), uid: newId(), token: newSecret() };
    const sender = await createClinic(connection, 10);
    await database.asSystem((db) => createInstitution(db, receiver, { type: "lab", name: "Lab", manager: "Lin" }));
    [clinic, lab] = [sender, receiver];
    client = new pg.Client(connection);
    await client.connect();
    await insertOrders(client, sender, receiver.iid, 50);
  });
  afterAll(() => client.end());

  const listNames = async (statement: string): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(statement);
    return rows.map(({ name }) => name);
  };

  it("loses the unique constraints that the plan names, and no other", async () => {
    expect(await listNames(lostUniqueKeys)).toEqual(readTable("Unique keys that break"));
  });

  it("loses the foreign keys that the plan names, and no other", async () => {
    expect(await listNames(lostForeignKeys)).toEqual(readTable("Foreign keys that break"));
  });

  it("keeps every key of the tables of an order except its number's", async () => {
    expect(await partitionOrders(client)).toEqual(["orders_number_key"]);
  });

  it("reads one partition for the sender's list, all for the receiver's, and one for the receiver's entries", async () => {
    await partitionOrders(client);
    const orders = "select from spread.orders where";
    expect(await countScans(client, `${orders} institution_id = $1`, clinic.iid)).toBe(1);
    expect(await countScans(client, `${orders} receiver_id = $1`, lab.iid)).toBe(partitions);
    expect(await countScans(client, "select from spread.order_entry where institution_id = $1", lab.iid)).toBe(1);
  });
});

/** Returns the names in the first column of the table under a heading of the plan. */
function readTable(heading: string): string[] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name).toSorted();
}

/** The tables that have rows of organisations. All others are copied to every node, or stay on one. */
const distributed = `select attrelid as id from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = 'institution_id' and relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`;

const lostUniqueKeys = `
  select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indisunique and x.indrelid in (${distributed}) and not exists (select from pg_attribute a
    where a.attrelid = x.indrelid and a.attname = 'institution_id' and a.attnum = any (x.indkey))
  order by i.relname collate "C"`;

/** A key holds within a node if both tables are distributed and it joins their organisations, or if its target is on every node. */
const lostForeignKeys = `
  select c.conname as name from pg_constraint c
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid in (${distributed})
    and not exists (select from unnest(c.conkey, c.confkey) as pair (own, other)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.own and a.attname = 'institution_id'
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = pair.other and b.attname = 'institution_id')
  order by c.conname collate "C"`;

/**
 * Copies orders and everything that hangs on them into hash partitions of a schema of their own. Returns the keys that
 * partitions refuse.
 */
async function partitionOrders(client: pg.Client): Promise<string[]> {
  await client.query("drop schema if exists spread cascade");
  await client.query("create schema spread");
  const { rows: tables } = await client.query<{ name: string }>(
    `with recursive family (id) as (
       select 'orders'::regclass::oid union select conrelid from pg_constraint join family on confrelid = id and contype = 'f'
     ) select relname as name from family join pg_class on oid = id union select 'order_entry' order by 1`,
  );
  const refused: string[] = [];
  for (const { name } of tables) {
    const copied = `including defaults including identity including generated`;
    await client.query(`create table spread.${name} (like ${name} ${copied}) partition by hash (institution_id)`);
    for (let part = 0; part < partitions; part++)
      await client.query(
        `create table spread.${name}_${part} partition of spread.${name} for values with (modulus ${partitions}, remainder ${part})`,
      );
  }
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype in ('p', 'u', 'f') and conrelid::regclass::text = any ($1) order by contype <> 'p', contype <> 'u'`,
    [tables.map(({ name }) => name)],
  );
  const moved = new RegExp(`REFERENCES (${tables.map(({ name }) => name).join("|")})\\(`);
  for (const { table, name, definition } of keys)
    try {
      const target = definition.replace(moved, "REFERENCES spread.$1(");
      await client.query(`alter table spread.${table} add constraint ${name} ${target}`);
    } catch {
      refused.push(name);
    }
  for (const name of ["orders", "order_entry"])
    await client.query(`insert into spread.${name} select * from public.${name}`);
  return refused;
}

/** Returns how many partitions PostgreSQL reads for a statement about one organisation. */
async function countScans(client: pg.Client, statement: string, iid: string): Promise<number> {
  const { rows } = await client.query<{ "QUERY PLAN": unknown }>(
    `explain (format json) ${statement.replace("$1", `'${iid}'`)}`,
  );
  return JSON.stringify(rows).match(/"Relation Name"/g)?.length ?? 0;
}
