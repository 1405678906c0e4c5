import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds that programs get to end in order, and after that to be gone. */
const patience = { inOrder: 10_000, atOnce: 2000 };

/**
 * Runs a program with a temporary folder of its own and removes the folder after it, with all processes that use it still:
 * databases and servers that outlive a program which was ended in the middle.
 * @param stop ends the program and everything that it started
 * @returns the program's exit code
 */
export async function runInOwnFolder(
  command: readonly [string, ...string[]],
  { env = process.env, stop }: { env?: NodeJS.ProcessEnv; stop: AbortSignal },
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-run-"));
  const [program, ...options] = command;
  const child = spawn(program, options, { stdio: "inherit", env: { ...env, TMPDIR: folder } });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  const endAll = (): void => void endProcessesOf(folder);
  stop.addEventListener("abort", endAll, { once: true });
  try {
    return await ended;
  } finally {
    stop.removeEventListener("abort", endAll);
    await endProcessesOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function endProcessesOf(folder: string): Promise<void> {
  for (const [signal, milliseconds] of [
    ["SIGTERM", patience.inOrder],
    ["SIGKILL", patience.atOnce],
  ] as const) {
    const until = performance.now() + milliseconds;
    signalAll(folder, signal);
    while (findProcesses(folder).length > 0 && performance.now() < until) await sleep(100);
  }
}

function signalAll(folder: string, signal: NodeJS.Signals): void {
  for (const pid of findProcesses(folder))
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
}

/** Processes whose environment or command line names the folder. Linux alone tells; elsewhere none is found. */
function findProcesses(folder: string): number[] {
  return listNumbers("/proc").filter(
    (pid) => pid !== process.pid && (tells(`/proc/${pid}/environ`, folder) || tells(`/proc/${pid}/cmdline`, folder)),
  );
}

function listNumbers(place: string): number[] {
  try {
    return readdirSync(place).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function tells(file: string, folder: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(folder);
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}
