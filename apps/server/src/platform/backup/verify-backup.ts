import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { DamagedError, fingerprintSecret } from "./backup-key.ts";
import { readPart } from "./backup-parts.ts";
import type { BackupPlace } from "./backup-parts.ts";
import { forEachReferredFile } from "./restore-later-files.ts";
import { findBackup } from "./backup-manifest.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { unpackInto } from "./pack-files-into-stream.ts";
import { checkCompatible, withRestoredDatabase } from "./restore-backup.ts";
import { copySize, forEachFile, isCopyIntact } from "./copy-stored-files.ts";
import { openAuditChain } from "../audit/audit-chain.ts";
import { verifyAudit } from "../audit/audit-verify.ts";
import { listArchive } from "../wal-archive/archived-wal.ts";
import { openDatabase } from "../database/database.ts";
import { findPostmaster } from "../postgres/postmaster.ts";
import { readText } from "../storage/durable-writes.ts";

interface VerifyOptions extends BackupPlace {
  name: string | undefined;
  /** The database is restored and started in this folder. */
  scratch: string;
  /** The SECRET_KEY of the instance, for the audit log; the backup's own one counts if it holds one. */
  secret: string | null;
  log: (line: string) => void;
}

export interface BackupReport {
  name: string;
  files: number;
  tables: Record<string, number>;
  indexes: number;
  /** The number of intact rows of the audit log; null: it was not checked, because its key is not here. */
  auditRows: number | null;
  /** A line for everything that is wrong. */
  faults: string[];
}

/** Reads everything in a backup, starts its database in a scratch folder, and checks that too. It changes nothing. */
export async function verifyBackup({ target, key, ...options }: VerifyOptions): Promise<BackupReport> {
  const place = { target, key };
  const backup = await findBackup(place, options.name);
  await checkCompatible({}, place, backup);
  const report: BackupReport = { name: backup.name, files: 0, tables: {}, indexes: 0, auditRows: null, faults: [] };
  report.faults.push(...backup.manifest.damaged.map((name) => `${name} was damaged in the store before the backup`));
  options.log("reading the stored files");
  await noteDamage(report, () => checkCopies(backup, place, report));
  await noteDamage(report, () => readPart(place, backup.name, backup.manifest.uploads, discard));
  const { gap } = await listArchive(target, backup);
  if (gap !== null) report.faults.push(`the archive of the WAL after the backup lacks the segment ${gap}`);
  const scratch = await mkdtemp(path.join(options.scratch, "arcada-verify-"));
  const stopWatching = cleanUpWhenStopped(scratch);
  try {
    options.log("reading the database");
    await noteDamage(report, async () => {
      await readPart(place, backup.name, backup.manifest.state, unpackInto(scratch));
      await withRestoredDatabase(place, backup, path.join(scratch, "postgres"), (connection) =>
        checkDatabase(connection, backup, place, { secret: options.secret, scratch }, report),
      );
    });
  } finally {
    stopWatching();
    await rm(scratch, { recursive: true, force: true });
  }
  return report;
}

/** The database in the scratch folder is a process of its own, which a stopped verification would leave behind. */
function cleanUpWhenStopped(scratch: string): () => void {
  const cleanUp = (): void => {
    const pid = findPostmaster(path.join(scratch, "postgres"))?.pid;
    if (pid !== undefined) process.kill(pid, "SIGQUIT");
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    process.exit(143);
  };
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.once(signal, cleanUp);
  return () => {
    for (const signal of signals) process.off(signal, cleanUp);
  };
}

async function discard(content: AsyncIterable<Uint8Array>): Promise<void> {
  // Reading to the end checks the content.
  for await (const _ of content);
}

async function noteDamage(report: BackupReport, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    report.faults.push(error.message);
  }
}

const checkCopies = (backup: StoredBackup, place: BackupPlace, report: BackupReport): Promise<void> =>
  forEachFile(place, backup, async (file) => {
    report.files += 1;
    if (!(await isCopyIntact(place, file)))
      report.faults.push(`files/${file.area}/${file.iid}/${file.sha256} is missing or was changed`);
  });

async function checkDatabase(
  connection: pg.PoolConfig,
  backup: StoredBackup,
  place: BackupPlace,
  given: { secret: string | null; scratch: string },
  report: BackupReport,
): Promise<void> {
  await checkStructures(connection, report);
  for (const [table, count] of Object.entries(backup.manifest.rows ?? {}))
    if (report.tables[table] !== count)
      report.faults.push(`${table} has ${report.tables[table] ?? "no"} rows instead of ${count}`);
  const database = openDatabase(connection, 2);
  try {
    await forEachReferredFile(database, async (name, table) => {
      if ((await copySize(place, name)) === null)
        report.faults.push(`${table} refers to ${name.area}/${name.iid}/${name.sha256}, which the backup lacks`);
    });
    const secret = (await readText(path.join(given.scratch, "secret.key"))) ?? given.secret;
    if (secret === null || fingerprintSecret(secret) !== backup.manifest.secret) return;
    const verdict = await verifyAudit(database, openAuditChain(secret, given.scratch));
    report.auditRows = verdict.rows;
    if (verdict.fault) report.faults.push(`the audit log is not intact at row ${verdict.broken}: ${verdict.fault}`);
  } finally {
    await database.close();
  }
}

/** Checks each B-tree and each table by the extension amcheck, and counts the rows; those of partitions in their table. */
async function checkStructures(connection: pg.PoolConfig, report: BackupReport): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("create extension if not exists amcheck");
    const { rows } = await client.query<{ oid: number; name: string; kind: RelationKind; isPart: boolean }>(
      `select c.oid, n.nspname || '.' || c.relname as name, c.relkind as kind, c.relispartition as "isPart" from pg_class c
        join pg_namespace n on n.oid = c.relnamespace left join pg_index i on i.indexrelid = c.oid left join pg_am a on a.oid = c.relam
      where n.nspname not like 'pg_t%' and c.relpersistence = 'p'
        and (c.relkind in ('r', 'p') or (c.relkind = 'i' and a.amname = 'btree' and i.indisvalid)) order by 2`,
    );
    for (const { oid, name, kind, isPart } of rows) {
      const fault = await checkRelation(client, oid, kind);
      if (fault) report.faults.push(`${name}: ${fault}`);
      if (kind === "i") report.indexes += 1;
      else if (!isPart && !/^(pg_catalog|information_schema)\./.test(name))
        report.tables[name] = await countRows(client, oid);
    }
  } finally {
    await client.end();
  }
}

/** A table, a partitioned table, which has no rows of its own, or an index. */
type RelationKind = "r" | "p" | "i";
async function checkRelation(client: pg.Client, oid: number, kind: RelationKind): Promise<string | null> {
  try {
    if (kind === "i") await client.query("select bt_index_check($1::regclass, true)", [oid]);
    const found = kind === "r" ? await client.query<{ msg: string }>(heapCheck, [oid]) : null;
    return found?.rows[0]?.msg ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}
const heapCheck = "select msg from verify_heapam($1::regclass) limit 1";

async function countRows(client: pg.Client, oid: number): Promise<number> {
  const name = await client.query<{ name: string }>("select $1::regclass::text as name", [oid]);
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${name.rows[0]!.name}`);
  return Number(rows[0]!.count);
}
