import { readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Returns the postmaster that runs this cluster, or undefined; `ready` once it accepts connections, also as a standby. */
export function findPostmaster(folder: string): { pid: number; ready: boolean } | undefined {
  const lines = readLines(path.join(folder, "postmaster.pid"));
  const pid = Number(lines[0]);
  if (!pid || !isPostmaster(pid, folder)) return undefined;
  // pg_ctl waits for the eighth line, too.
  return { pid, ready: ["ready", "standby"].includes(lines[7]?.trim() ?? "") };
}

export const readPid = (file: string): number => Number(readLines(file)[0]) || 0;

/**
 * True if this process id is a running postmaster of this folder. A killed one that nobody has reaped still answers
 * signal 0, and after a restart of a container the number may belong to any other program.
 */
export function isPostmaster(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return path.resolve(readlinkSync(`/proc/${pid}/cwd`)) === folder;
  } catch {
    return readLines(`/proc/${pid}/comm`)[0] === "postgres";
  }
}

/** True if this is a postmaster whose data folder was deleted while it was running. */
export function isOrphanPostmaster(pid: number): boolean {
  if (process.platform !== "linux" || !isAlive(pid)) return false;
  try {
    return readLines(`/proc/${pid}/comm`)[0] === "postgres" && readlinkSync(`/proc/${pid}/cwd`).endsWith(" (deleted)");
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return process.platform !== "linux" || !["Z", "X", undefined].includes(readProcessStatus(pid)[0]);
}

/** Identifies one life of a process id: ids are used again, above all in containers. */
export const processIdentity = (pid: number): string =>
  `${pid} ${readProcessStatus(pid)[19] ?? ""} ${readLines("/proc/sys/kernel/random/boot_id")[0] ?? ""}`;

export async function waitUntil(done: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; !done(); await sleep(10)) if (Date.now() > end) return false;
  return true;
}

// proc(5): the program's name is in parentheses and may contain any character, so the fields are counted from the last
// one.
const readProcessStatus = (pid: number): string[] => {
  const line = readLines(`/proc/${pid}/stat`)[0] ?? "";
  return line ? line.slice(line.lastIndexOf(")") + 2).split(" ") : [];
};

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
