import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type pg from "pg";
import { copyIn, copyOut } from "../backup/postgres-copy-streams.ts";
import { listSourceTables, readSequence } from "../backup/row-backup.ts";
import type { SourceTable } from "../backup/row-backup.ts";
import { addPartitions, suspendChecks } from "../backup/row-restore.ts";
import { StartError } from "../runtime/config.ts";

/**
 * Copies the rows of all tables from one snapshot of the old database into the new one, in one transaction, and reads
 * each table back: it must be the same, byte by byte.
 */
export async function copyAllRows(source: pg.Client, target: pg.Client, log: (line: string) => void): Promise<number> {
  for (const client of [source, target]) await readInOrder(client);
  await source.query("begin isolation level repeatable read read only");
  await target.query("begin");
  const tables = await listSourceTables(source);
  const known = new Map((await listSourceTables(target)).map((table) => [table.name, table]));
  const undo = await suspendChecks(target);
  let bytes = 0;
  for (const [at, table] of tables.entries()) {
    bytes += await copyTable(source, target, { ...table, columns: sharedColumns(table, known.get(table.name)) });
    if ((at + 1) % 20 === 0) log(`${at + 1} of ${tables.length} tables, ${(bytes / 1e6).toFixed(1)} MB`);
  }
  log("making the indexes");
  for (const statement of undo) await target.query(statement);
  await target.query("commit");
  await source.query("commit");
  await target.query("analyze");
  return bytes;
}

/** A table is read in the order in which it was written, so that two readings can be compared as streams. */
async function readInOrder(client: pg.Client): Promise<void> {
  await client.query("set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0");
  await client.query("set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off");
  await client.query(
    "set statement_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1",
  );
}

/** The job queue's library changes its own tables: only what both of its versions know is copied. */
function sharedColumns(table: SourceTable, target: SourceTable | undefined): string[] {
  const missing = table.columns.filter((column) => !target?.columns.includes(column));
  if (missing.length > 0 && !(target && table.name.startsWith("pgboss.")))
    throw new StartError(
      `The database has ${target ? `the column ${missing[0]} of the` : "a"} table ${table.name}, which no migration makes. Remove it or keep a copy elsewhere, then run the command again. Nothing was changed.`,
    );
  return table.columns.filter((column) => !missing.includes(column));
}

async function copyTable(source: pg.Client, target: pg.Client, table: SourceTable): Promise<number> {
  const { name, columns, sequences } = table;
  await addPartitions(target, { table: name, partitions: table.partitions });
  const list = columns.join(", ");
  const query = `copy (select ${list} from ${name}) to stdout`;
  const sent = { hash: createHash("sha256"), bytes: 0 };
  await copyIn(target, `copy ${name} (${list}) from stdin`, hashed(copyOut(source, query), sent));
  const stored = { hash: createHash("sha256"), bytes: 0 };
  for await (const chunk of hashed(copyOut(target, query), stored)) void chunk;
  if (stored.bytes !== sent.bytes || stored.hash.digest("hex") !== sent.hash.digest("hex"))
    throw new StartError(`The copy of the table ${name} differs from the original. Nothing was changed.`);
  for (const sequence of sequences) {
    const { value, isCalled } = await readSequence(source, sequence);
    await target.query("select setval($1::regclass, $2, $3)", [sequence, value, isCalled]);
  }
  return sent.bytes;
}

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  counted: { hash: Hash; bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    counted.hash.update(chunk);
    counted.bytes += chunk.length;
    yield chunk;
  }
}
