import type pg from "pg";
import { writePart } from "./backup-parts.ts";
import type { BackupPart, BackupPlace } from "./backup-parts.ts";
import { copyOut } from "./postgres-copy-streams.ts";
import { removeOtherParts } from "./reusable-parts.ts";

/** The first line of a part: the table and the columns whose rows follow in the text format of COPY. */
export interface TableHeader {
  table: string;
  columns: string[];
  /** The instants at which the partitions of a table that is partitioned by time begin. */
  partitions?: string[];
  /** The sequences of the table, and the values that they had reached. */
  sequences: { name: string; value: string; isCalled: boolean }[];
}

export interface SourceTable {
  name: string;
  columns: string[];
  partitions: string[];
  sequences: string[];
  isReadBySystem: boolean;
}

// The other tables of the job queue are its own book-keeping.
const jobTables = ["queue", "schedule", "job"];
const listTables = `select format('%I.%I', n.nspname, c.relname) as name,
    has_table_privilege('arcada_system', c.oid, 'select') as "isReadBySystem",
    array_agg(quote_ident(a.attname) order by a.attnum) as columns,
    array(select bounds[1]::timestamptz::text from pg_inherits h join pg_class p on p.oid = h.inhrelid,
        regexp_match(pg_get_expr(p.relpartbound, p.oid), $re$FROM \\('([^']+)'\\) TO$re$) bounds
      where h.inhparent = c.oid and bounds is not null) as partitions,
    coalesce(array_agg(s.name) filter (where s.name is not null), '{}') as sequences
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '',
    lateral (select pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as name) s
  where c.relkind in ('r', 'p') and not c.relispartition
    and ((n.nspname = 'public' and c.relname <> 'migration') or (n.nspname = 'pgboss' and c.relname = any($1)))
  group by c.oid, n.nspname, c.relname order by array_position($1, c.relname::text) nulls first, 1`;

const listFreeSequences = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and n.nspname = 'public' and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)`;

/**
 * Lists the tables whose rows make up an instance, with their columns except the generated ones. The sequences that
 * belong to no column go with the first table.
 */
export async function listSourceTables(client: pg.Client): Promise<SourceTable[]> {
  const { rows: tables } = await client.query<SourceTable>(listTables, [jobTables]);
  const { rows: free } = await client.query<{ name: string }>(listFreeSequences);
  return tables.map((table, at) =>
    at === 0 ? { ...table, sequences: [...table.sequences, ...free.map(({ name }) => name)] } : table,
  );
}

/**
 * Copies the rows of all tables from one snapshot. Row-level security is forced on most tables, so they are read as
 * `arcada_system`: as the owner, rows would be missing silently. The snapshot ends with the connection, so nothing of an
 * interrupted copy can be used.
 */
export async function backUpRows(
  client: pg.Client,
  place: BackupPlace,
  backup: string,
): Promise<{ parts: BackupPart[]; rows: Record<string, number> }> {
  await client.query("begin isolation level repeatable read read only");
  const tables = await listSourceTables(client);
  const parts: BackupPart[] = [];
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const sequences = [];
    for (const name of table.sequences) sequences.push(await readSequence(client, name));
    await client.query(`set local role ${table.isReadBySystem ? "arcada_system" : "none"}`);
    rows[table.name] = await countRows(client, table.name);
    const name = `database/${String(parts.length).padStart(5, "0")}.copy.zst`;
    const header: TableHeader = {
      table: table.name,
      columns: table.columns,
      sequences,
      ...(table.partitions.length > 0 && { partitions: table.partitions }),
    };
    parts.push(await writePart(place, backup, name, copyTable(client, header)));
    await client.query("set local role none");
  }
  await client.query("commit");
  await removeOtherParts(place, backup, parts);
  return { parts, rows };
}

async function* copyTable(client: pg.Client, header: TableHeader): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(header)}\n`);
  const text = `copy (select ${header.columns.join(", ")} from ${header.table}) to stdout`;
  for await (const chunk of copyOut(client, text)) yield chunk as Buffer;
}

export async function readSequence(client: pg.Client, name: string): Promise<TableHeader["sequences"][number]> {
  const { rows } = await client.query<{ value: string; isCalled: boolean }>(
    `select last_value::text as value, is_called as "isCalled" from ${name}`,
  );
  return { name, ...rows[0]! };
}

export async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]!.count);
}
