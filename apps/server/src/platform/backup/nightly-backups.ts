import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { anotherBackupRuns } from "./backup-lock.ts";
import { findLatestRuns, recordRun } from "./backup-runs.ts";
import type { LatestRuns } from "./backup-runs.ts";
import type { Database } from "../database/database.ts";
import type { Config } from "../runtime/config.ts";
import { logEvent } from "../telemetry/log.ts";

const checkEveryMs = 5 * 60_000;
const retryAfterMs = 60 * 60_000;

/**
 * Makes a backup every night if BACKUP_DIR is set, and verifies one every BACKUP_VERIFY_DAYS. Both run in processes of
 * their own: compressing and hashing would slow this one down. Only one backup of an instance runs at a time, so every
 * process that runs jobs may try; the one that made the backup verifies it.
 */
export function startNightlyBackups(
  config: Config,
  database: Database,
  everyMs = checkEveryMs,
): { stop(): Promise<void> } | null {
  const root = config.BACKUP_DIR;
  if (root === undefined) return null;
  const children = new Set<ChildProcess>();
  const run = async (command: string[]): Promise<{ code: number | null; output: string }> => {
    const child = spawnCommand(config, command);
    children.add(child);
    try {
      return await readToEnd(child);
    } finally {
      children.delete(child);
    }
  };
  let isStopping = false;
  let isMaking = false;
  const check = async (): Promise<void> => {
    if (isMaking || isStopping) return;
    isMaking = true;
    try {
      const { now, runs } = await readRuns(database);
      if (!isBackupDue(now, runs, config.BACKUP_HOUR)) return;
      const { code, output } = await run(["create", root, "--keep", String(config.BACKUP_KEEP)]);
      if (code === anotherBackupRuns || isStopping) return;
      if (code !== 0) logFailure("nightly backup", output || `it ended with ${code}`);
      if (code !== 0 && !(await hasRecord(database, now)))
        await recordFailure(database, "create", { root, startedAt: now, output });
    } finally {
      isMaking = false;
    }
    if (!isStopping && isVerificationDue(await readRuns(database), config.BACKUP_VERIFY_DAYS)) await verify(root);
  };
  const verify = async (place: string): Promise<void> => {
    const startedAt = new Date();
    const { code, output } = await run(["verify", place]);
    if (isStopping) return;
    if (code === 0) return recordRun(database, describeVerification(place, startedAt, output));
    logFailure("weekly verification", output);
    await recordFailure(database, "verify", { root: place, startedAt, output });
  };
  const report = (error: Error) => logFailure("nightly backup", error.message);
  const timer = setInterval(() => void check().catch(report), everyMs);
  timer.unref();
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      const ended = [...children].map((child) => once(child, "close"));
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(ended);
    },
  };
}

const readRuns = (database: Database): Promise<{ now: Date; runs: LatestRuns }> =>
  database.asSystem(async (db) => ({ now: new Date(), runs: await findLatestRuns(db) }));

/** A command that was killed, or whose arguments were wrong, has not recorded its end itself. */
async function hasRecord(database: Database, startedAt: Date): Promise<boolean> {
  const { backup, failure } = (await readRuns(database)).runs;
  return [backup, failure].some((run) => run !== null && new Date(run.started_at) >= startedAt);
}

type Times = { started_at: string; finished_at: string };

/** True if no backup was begun since the last time that it was this hour, in UTC, and none has just failed. */
export function isBackupDue(
  now: Date,
  { backup, failure }: { backup: Times | null; failure: Times | null },
  hour: number,
): boolean {
  const due = new Date(now);
  due.setUTCHours(hour, 0, 0, 0);
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  if (backup !== null && new Date(backup.started_at) >= due) return false;
  return failure === null || now.getTime() - Date.parse(failure.finished_at) >= retryAfterMs;
}

/** True if no verification has succeeded within these days; 0: never. */
export function isVerificationDue(
  { now, runs: { verified } }: { now: Date; runs: { verified: Times | null } },
  days: number,
): boolean {
  if (days === 0) return false;
  // Nightly backups do not begin at the same second: a weekly verification must not slip by a day each time.
  return verified === null || now.getTime() - Date.parse(verified.started_at) > (days - 0.5) * 86_400_000;
}

function spawnCommand(config: Config, command: string[]): ChildProcess {
  const key = config.BACKUP_KEY_FILE === undefined ? [] : ["--key-file", config.BACKUP_KEY_FILE];
  const cli = path.join(import.meta.dirname, "../../cli.ts");
  return spawn(process.execPath, [cli, "backup", ...command, ...key], {
    env: { ...process.env, DATA_DIR: config.dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns the end of what a command wrote, and its exit code; null if it was killed. */
async function readToEnd(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-2000)));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      output = error.message;
      resolve(null);
    });
    child.once("close", resolve);
  });
  return { code, output: output.trim() };
}

interface FailedRun {
  root: string;
  startedAt: Date;
  output: string;
}

const recordFailure = (database: Database, kind: "create" | "verify", { root, startedAt, output }: FailedRun) =>
  recordRun(database, {
    kind,
    target: root,
    name: readName(output),
    started_at: startedAt.toISOString(),
    ok: false,
    files: null,
    bytes: null,
    fault: dropProgress(output) || "it was stopped",
  });

const describeVerification = (root: string, startedAt: Date, output: string) => ({
  kind: "verify" as const,
  target: root,
  name: readName(output),
  started_at: startedAt.toISOString(),
  ok: true,
  files: Number(/(?<!\d)(\d{1,12}) stored files/.exec(output)?.[1] ?? 0),
  bytes: null,
  fault: null,
});

const readName = (output: string): string | null => /\bBackup (\d{8}T\d{6}Z(?:-\d+)?)/.exec(output)?.[1] ?? null;

/** Leaves out the lines about progress, which begin in small letters after the name of the program. */
const dropProgress = (output: string): string =>
  output
    .split("\n")
    .filter((line) => !/^Arcada: [a-z]/.test(line))
    .map((line) => line.replace(/^Arcada: /, ""))
    .join(" ");

const logFailure = (about: string, message: string): void => logEvent("error", about, message);
