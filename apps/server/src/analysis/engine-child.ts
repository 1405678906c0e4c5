import { fork, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";
import type { EngineFaultName } from "@arcada/contract/analysis/observation";
import type { EngineChoice, EngineOutcome, EngineTask } from "./engine-task.ts";
import type { ReadPack } from "./engine-pack.ts";

export type PackTask = Omit<EngineTask, "engine"> & { engine: Extract<EngineChoice, { kind: "pack" }> };
export type ChildTask = { do: "run"; task: PackTask } | { do: "look"; path: string; trustedKeys: readonly string[] };
/** `detail` is for the log; `reason` may be told to whoever asked. */
export interface ChildFault {
  fault: EngineFaultName;
  reason: EngineReason | null;
  detail: string;
}
export type ChildAnswer = { outcome: EngineOutcome } | { pack: ReadPack } | ChildFault | { trouble: string };

interface ChildOptions {
  timeoutMs: number;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/**
 * Lets a process of its own do the task and ends it: what its libraries take of memory no thread gives back, and nothing
 * else stops them. It knows none of this process's settings.
 * @throws the signal's reason; what is no fault of the pack
 */
export async function inProcess(
  task: ChildTask,
  { timeoutMs, signal, onProgress }: ChildOptions,
): Promise<Exclude<ChildAnswer, { trouble: string }>> {
  const child = fork(new URL("./engine.child.ts", import.meta.url), [], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, NODE_NO_WARNINGS: "1" },
  });
  const ended = new AbortController();
  try {
    const answer = await Promise.race([
      answerOf(child, task, onProgress),
      delay(timeoutMs, { fault: "timeout", reason: null, detail: `after ${timeoutMs} ms` } as const, {
        ref: false,
        signal: ended.signal,
      }),
      tooMuchMemory(child, ended.signal),
      aborted(signal, ended.signal),
    ]);
    if ("trouble" in answer) throw new Error(answer.trouble);
    return answer;
  } finally {
    ended.abort();
    child.kill("SIGKILL");
  }
}

const answerOf = (child: ChildProcess, task: ChildTask, onProgress: (share: number) => void): Promise<ChildAnswer> =>
  new Promise((resolve, reject) => {
    child.on("message", (message: ChildAnswer | { step: number }) => {
      if ("step" in message) onProgress(message.step);
      else resolve(message);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ fault: "died", reason: null, detail: String(signal ?? code) }));
    child.send(task);
  });

const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { signal: ended });
  });

const mostMegabytes = 1536;
const lookMs = 50;

/** Where the system tells how much a process holds; elsewhere its time alone is limited. */
async function tooMuchMemory(child: ChildProcess, ended: AbortSignal): Promise<ChildFault> {
  while (!ended.aborted && child.pid !== undefined) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => null);
    if (status === null) break;
    const megabytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
    if (megabytes > mostMegabytes) return { fault: "memory", reason: null, detail: `more than ${mostMegabytes} MB` };
    await delay(lookMs, undefined, { ref: false });
  }
  return new Promise(() => {});
}
