import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { loadBackupKey } from "./backup-key.ts";
import type { BackupKey } from "./backup-key.ts";
import { anotherBackupRuns, BackupRunningError } from "./backup-lock.ts";
import { recordRun } from "./backup-runs.ts";
import type { BackupRun } from "./backup-runs.ts";
import { createBackup } from "./create-backup.ts";
import type { CreatedBackup } from "./create-backup.ts";
import { releaseDeliveries } from "./held-deliveries.ts";
import type { DeliveryQueue } from "./held-deliveries.ts";
import { explainDiskErrors, explainNetworkErrors } from "./backup-parts.ts";
import { openBackupTarget, refuseUnsafePlace } from "../backup-target/open-backup-target.ts";
import { restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";
import type { BackupTarget } from "../backup-target/backup-target.ts";
import type { Database } from "../database/database.ts";
import type { Config } from "../runtime/config.ts";
import { StartError } from "../runtime/config.ts";
import { readText } from "../storage/durable-writes.ts";
import { openFileStore } from "../storage/open-file-store.ts";
import { shipWaitingSegments } from "../wal-archive/ship-wal.ts";

/** `backup create DIR`: makes a backup, whether Arcada runs or not; exit status 1 if stored files were damaged. */
export async function createBackupFromCommand(
  database: Database,
  given: string[],
  config: Config,
  connection: pg.PoolConfig,
): Promise<number> {
  const usage = "backup create DIR [--key-file FILE] [--keep NUMBER] [--rows]";
  const options = { ...keyOption, keep: { type: "string" }, rows: { type: "boolean" } } as const;
  const { place, target, key, values } = await parse(usage, given, config, options);
  refuseUnsafePlace(place, config);
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) throw new StartError(`Wanted: ${usage}`);
  const began = performance.now();
  const startedAt = new Date();
  const files = await openFileStore(config, database);
  const record = (run: Pick<BackupRun, "name" | "ok" | "files" | "bytes" | "fault">) =>
    recordRun(database, { ...run, kind: "create", target: target.label, started_at: startedAt.toISOString() }).catch(
      // The backup counts even if an older server's database has no table for the record.
      (error: Error) => log(`the end of the backup could not be recorded (${error.message})`),
    );
  let made: CreatedBackup;
  try {
    made = await createBackup({ config, connection, files }, { target, key, keep, rows: values.rows, log });
  } catch (error) {
    if (error instanceof BackupRunningError) return explainRunning(error);
    await record({ name: null, ok: false, files: null, bytes: null, fault: (error as Error).message });
    throw error;
  }
  await record({
    name: made.name,
    ok: true,
    files: made.files.count,
    bytes: made.files.bytes + made.databaseBytes,
    fault: made.damaged.length === 0 ? null : `${made.damaged.length} stored files were damaged and are not in it`,
  });
  print(
    `Backup ${made.name} is complete: database ${megabytes(made.databaseBytes)}, ${made.files.count} stored files (${made.files.added} new)${made.reused > 0 ? `, ${made.reused} parts of an interrupted backup used` : ""}, in ${((performance.now() - began) / 1000).toFixed(1)} s.`,
  );
  if (!key && !config.SECRET_KEY)
    print(
      `The backup is not encrypted and does not contain ${path.join(config.dataDir, "secret.key")}: keep a copy of that file elsewhere.`,
    );
  if (made.removed > 0) print(`${made.removed} older backups are removed.`);
  for (const name of made.damaged) print(`damaged in the store, not in the backup: ${name}`);
  return made.damaged.length === 0 ? 0 : 1;
}

function explainRunning({ message }: BackupRunningError): number {
  process.stderr.write(`Arcada: ${message}\n`);
  return anotherBackupRuns;
}

/** `backup verify DIR`: exit status 0 if everything in the backup is intact, else 1. */
export async function verifyBackupFromCommand(given: string[], config: Config): Promise<number> {
  const usage = "backup verify DIR [--at NAME] [--key-file FILE] [--scratch DIR]";
  const options = { ...keyOption, ...nameOption, scratch: { type: "string" } } as const;
  const { target, key, values } = await parse(usage, given, config, options);
  const secret = config.SECRET_KEY ?? (await readText(path.join(config.dataDir, "secret.key")));
  const scratch = path.resolve(values.scratch ?? tmpdir());
  const report = await explainNetworkErrors(target, () =>
    explainDiskErrors(scratch, () => verifyBackup({ target, key, name: values.at, scratch, secret, log })),
  );
  const rows = Object.values(report.tables).reduce((sum, count) => sum + count, 0);
  print(
    `Backup ${report.name}: ${report.files} stored files, ${Object.keys(report.tables).length} tables with ${rows} rows, ${report.indexes} indexes checked.`,
  );
  print(
    report.auditRows === null
      ? "The audit log was not checked, because SECRET_KEY of the instance is not here."
      : `The audit log has ${report.auditRows} intact rows.`,
  );
  for (const fault of report.faults) print(fault);
  print(report.faults.length === 0 ? "The backup is intact." : `The backup has ${report.faults.length} faults.`);
  return report.faults.length === 0 ? 0 : 1;
}

/** `backup restore DIR`: into an empty data folder, or with `--replace` into one whose content is moved aside. */
export const restoreBackupFromCommand =
  (deliveries: readonly DeliveryQueue[]) =>
  async (given: string[], config: Config): Promise<number> => {
    const usage = "backup restore DIR [--at NAME] [--until TIME|latest] [--key-file FILE] [--replace]";
    const options = {
      ...keyOption,
      ...nameOption,
      until: { type: "string" },
      replace: { type: "boolean" },
    } as const;
    const { place, target, key, values } = await parse(usage, given, config, options);
    refuseUnsafePlace(place, config);
    const replace = values.replace ?? false;
    const until = values.until === undefined ? null : parseMoment(values.until);
    const { aside, held } = await explainNetworkErrors(target, async () => {
      if (until !== null) await shipWaitingSegments(config);
      return restoreBackup(config, { target, key, name: values.at, until, replace, deliveries, log });
    });
    print(`The backup is restored into ${config.dataDir}.`);
    if (aside) print(`The former content is in ${aside}: delete it when you no longer need it.`);
    if (held > 0)
      print(`${held} emails and webhook deliveries that waited then are held: backup release sends them after all.`);
    return 0;
  };

/** `backup release`: sends the messages that a restore has held. */
export const releaseFromCommand =
  (deliveries: readonly DeliveryQueue[]) =>
  async (_database: Database, _given: string[], _config: Config, connection: pg.PoolConfig): Promise<number> => {
    print(`${await releaseDeliveries(connection, deliveries)} messages are released.`);
    return 0;
  };

const keyOption = { "key-file": { type: "string" } } as const;
const nameOption = { at: { type: "string" } } as const;

type OptionShapes = Record<string, { type: "string" | "boolean" }>;
type Values = {
  "key-file"?: string;
  keep?: string;
  at?: string;
  scratch?: string;
  until?: string;
  replace?: boolean;
  rows?: boolean;
};

type Arguments = { place: string; target: BackupTarget; key: BackupKey | null; values: Values };

async function parse(usage: string, args: string[], config: Config, options: OptionShapes): Promise<Arguments> {
  const { values, positionals } = parseOrExplain(usage, args, options);
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new StartError(`Wanted: ${usage}`);
  const file = values["key-file"];
  const key = file === undefined ? null : loadBackupKey(file);
  return { place: folder, target: await openBackupTarget(folder, config), key, values };
}

function parseOrExplain(usage: string, args: string[], options: OptionShapes) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch {
    throw new StartError(`Wanted: ${usage}`);
  }
}

/** A time without a zone would mean another moment on another machine. */
function parseMoment(text: string): Date | "latest" {
  if (text === "latest") return text;
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime()))
    throw new StartError(`${text} is no time with a zone, such as 2026-11-28T09:30:00Z or 2026-11-28T17:30:00+08:00.`);
  if (moment > new Date()) throw new StartError(`${text} has not come yet: give --until latest to restore everything.`);
  return moment;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const log = (line: string): void => void process.stderr.write(`Arcada: ${line}\n`);
