import pg from "pg";
import { DamagedError } from "./backup-key.ts";
import { readPart } from "./backup-parts.ts";
import type { BackupPlace } from "./backup-parts.ts";
import { copyIn } from "./postgres-copy-streams.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { countRows } from "./row-backup.ts";
import type { TableHeader } from "./row-backup.ts";
import { migrate } from "../database/migrate.ts";
import { openJobs } from "../jobs/jobs.ts";
import { StartError } from "../runtime/config.ts";

/**
 * Fills an empty database with the rows of a backup: migrations up to those of the backup, then all rows in one
 * transaction. After an interruption the database has either no rows or all of them.
 */
export async function restoreRows(connection: pg.PoolConfig, place: BackupPlace, backup: StoredBackup): Promise<void> {
  await migrate(connection, { only: new Set(backup.manifest.migrations.map(({ name }) => name)) });
  // The queue's library makes its own tables.
  const jobs = await openJobs(connection, { isWorker: false });
  await jobs.stop(0);
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    if (await isFilled(client, backup)) return;
    await client.query("begin");
    const undo = await suspendChecks(client);
    for (const part of backup.manifest.database)
      await readPart(place, backup.name, part, (content) => restoreTable(client, content));
    for (const statement of undo) await client.query(statement);
    await client.query(`comment on table storage is '${markOf(backup)}'`);
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

/** Returns true if an interrupted restore of this backup has reached its commit. */
async function isFilled(client: pg.Client, backup: StoredBackup): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    "select obj_description('storage'::regclass, 'pg_class') as mark",
  );
  if (rows[0]!.mark === markOf(backup)) return true;
  await client.query("begin; set local role arcada_system");
  const used = (await countRows(client, "storage")) + (await countRows(client, "users"));
  await client.query("commit");
  if (used > 0) throw new StartError("The database of DATABASE_URL is not empty: create a new one for the restore.");
  return false;
}

/** A comment in the database says that it was filled, until the restore has ended. */
const markOf = ({ manifest }: StoredBackup): string => `restored ${manifest.startedAt.replaceAll("'", "")}`;

/** Ends a restore: from now on the database counts as one that is in use. */
export async function endRestore(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("comment on table storage is null");
  } finally {
    await client.end();
  }
}

const ours = "n.nspname in ('public', 'pgboss')";
const tables = `pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours}`;

/**
 * Removes foreign keys and the indexes that belong to no constraint, switches triggers and forced row-level security
 * off, and empties all tables, as the owner may; returns the statements that bring all but the rows back. Their return
 * checks every reference of the rows, and one large sort makes an index faster than many insertions.
 */
export async function suspendChecks(client: pg.Client): Promise<string[]> {
  const change = async (from: string, suspend: string, resume: string): Promise<string[]> => {
    const { rows } = await client.query<{ suspend: string; resume: string }>(
      `select ${suspend} as suspend, ${resume} as resume from ${from}`,
    );
    for (const row of rows) await client.query(row.suspend);
    return rows.map((row) => row.resume);
  };
  const foreignKeys = await change(
    `pg_constraint k join pg_namespace n on n.oid = k.connamespace where k.contype = 'f' and k.conparentid = 0 and ${ours}`,
    "format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname)",
    "format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))",
  );
  const indexes = await change(
    `pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and not t.relispartition
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`,
    "format('drop index %s', i.indexrelid::regclass)",
    // The index of a partitioned table is printed without its partitions.
    "replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')",
  );
  const triggers = await change(
    `${tables} and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)`,
    "format('alter table %s disable trigger user', c.oid::regclass)",
    "format('alter table %s enable trigger user', c.oid::regclass)",
  );
  const security = await change(
    `${tables} and c.relforcerowsecurity`,
    "format('alter table %s no force row level security', c.oid::regclass)",
    "format('alter table %s force row level security', c.oid::regclass)",
  );
  await change(
    `${tables} and c.relkind in ('r', 'p') and not c.relispartition and (n.nspname = 'public' and c.relname <> 'migration' or c.relname in ('queue', 'schedule', 'job'))`,
    "format('truncate %s', c.oid::regclass)",
    "null",
  );
  // A foreign key may need one of the indexes.
  return [...indexes, ...foreignKeys, ...triggers, ...security];
}

const plainName = /^[a-z_"][\w."]{0,127}$/;

async function restoreTable(client: pg.Client, content: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = content[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(chunks);
  // These names become part of a statement, and a backup without encryption can be changed by others.
  if (![header.table, ...header.columns].every((name) => plainName.test(name)))
    throw new DamagedError("it names no table");
  await addPartitions(client, header);
  await copyIn(client, `copy ${header.table} (${header.columns.join(", ")}) from stdin`, chain(rest, chunks));
  for (const { name, value, isCalled } of header.sequences)
    await client.query("select setval($1::regclass, $2, $3)", [name, value, isCalled]);
}

/** Makes the partitions in which the rows of another database lie. */
export async function addPartitions(
  client: pg.Client,
  { table, partitions }: Pick<TableHeader, "table" | "partitions">,
): Promise<void> {
  for (const begins of partitions ?? [])
    await client.query("select arcada_add_partition($1::regclass, $2::timestamptz)", [table, begins]);
}

async function readHeader(chunks: AsyncIterator<Uint8Array>): Promise<{ header: TableHeader; rest: Buffer }> {
  let text = Buffer.alloc(0);
  for (;;) {
    const end = text.indexOf("\n");
    if (end >= 0)
      return { header: JSON.parse(String(text.subarray(0, end))) as TableHeader, rest: text.subarray(end + 1) };
    const { done, value } = await chunks.next();
    if (done) throw new DamagedError("it is cut off");
    text = Buffer.concat([text, value]);
  }
}

async function* chain(first: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
