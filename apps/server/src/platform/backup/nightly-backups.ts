import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { findNewestTime } from "./backup-manifest.ts";
import type { Config } from "../runtime/config.ts";
import { logEvent } from "../telemetry/log.ts";

const checkEveryMs = 5 * 60_000;

/**
 * Makes a backup every night if BACKUP_DIR is set, in a process of its own: compressing and hashing would slow this one
 * down. Only one backup of an instance runs at a time, so every process that runs jobs may try.
 */
export function startNightlyBackups(config: Config): { stop(): Promise<void> } | null {
  const root = config.BACKUP_DIR;
  if (root === undefined) return null;
  let child: ChildProcess | null = null;
  const check = async (): Promise<void> => {
    if (child || !isBackupDue(new Date(), await findNewestTime(root), config.BACKUP_HOUR)) return;
    child = beginBackup(config, root);
    child.once("close", () => (child = null));
  };
  const timer = setInterval(() => void check().catch((error: Error) => logFailure(error.message)), checkEveryMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      if (!child) return;
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** True if no backup was begun since the last time that it was this hour, in UTC. */
export function isBackupDue(now: Date, newest: Date | null, hour: number): boolean {
  const due = new Date(now);
  due.setUTCHours(hour, 0, 0, 0);
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return newest === null || newest < due;
}

function beginBackup(config: Config, root: string): ChildProcess {
  const key = config.BACKUP_KEY_FILE === undefined ? [] : ["--key-file", config.BACKUP_KEY_FILE];
  const keep = ["--keep", String(config.BACKUP_KEEP)];
  const cli = path.join(import.meta.dirname, "../../cli.ts");
  const child = spawn(process.execPath, [cli, "backup", "create", root, ...key, ...keep], {
    env: { ...process.env, DATA_DIR: config.dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-2000)));
  child.on("error", (error) => logFailure(error.message));
  child.on("close", (code) => {
    if (code !== 0) logFailure(output.trim() || `it ended with ${code}`);
  });
  return child;
}

const logFailure = (message: string): void => logEvent("error", "nightly backup", message);
