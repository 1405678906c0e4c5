import type { EngineFaultName } from "@arcada/contract/analysis/observation";
import { workerPool, type WorkerPool } from "../../platform/runtime/worker-pool.ts";
import { logEvent } from "../../platform/telemetry/log.ts";
import { runInSandbox, type PackTask } from "../packs/pack-process.ts";
import type { EngineOutcome, EngineTask } from "./engine-task-types.ts";

export interface RunOptions {
  /** Aborts the run, which then throws the signal's reason. */
  signal: AbortSignal;
  /** Receives the progress, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** The time limit. Default: the usual limit of the engine's kind. */
  timeoutMs?: number;
}

/**
 * Runs an engine on an image, apart from the event loop: measurement and remote servers in a thread, models in a
 * process of their own. Every result has passed `validateResult`, otherwise the outcome is a fault.
 * @throws the signal's reason; errors that are no engine's fault (a disk that is full), after which one may try again
 */
export async function runEngine(task: EngineTask, options: RunOptions): Promise<EngineOutcome> {
  options.signal.throwIfAborted();
  const { engine } = task;
  const { onProgress, signal, timeoutMs = defaultTimeoutMs[engine.kind] } = options;
  if (engine.kind === "pack") return runPack({ ...task, engine }, { ...options, timeoutMs });
  const answer = await workerPoolFor(engine.kind).run(task, {
    timeoutMs,
    signal,
    onStep: (share) => onProgress?.(Number(share)),
    ...(task.source.kind === "volume" && { isLarge: true }),
  });
  if ("value" in answer) return answer.value;
  const fault = answer.refusal === "fileTooSlow" ? "timeout" : "died";
  return { state: "failed", fault, detail: `after ${timeoutMs} ms` };
}

/** Logs the exact cause of an engine failure. It is for the operator and appears in the server's log only. */
export const logEngineFault = (about: string, { fault, detail }: { fault: EngineFaultName; detail: string }): void =>
  logEvent("warn", about, detail, { fault });

const defaultTimeoutMs = { measurement: 60_000, remote: 120_000, pack: 120_000 } as const;

async function runPack(
  task: PackTask,
  { signal, timeoutMs, onProgress = () => {} }: RunOptions & { timeoutMs: number },
): Promise<EngineOutcome> {
  const answer = await runInSandbox({ do: "run", task }, { timeoutMs, signal, onProgress });
  if ("pack" in answer) throw new Error("a pack where an outcome was asked for");
  return "outcome" in answer ? answer.outcome : { state: "failed", fault: answer.fault, detail: answer.detail };
}

type Pool = WorkerPool<EngineTask, EngineOutcome>;
let pools: Record<"measurement" | "remote", Pool> | undefined;

/** Remote servers have threads of their own: a slow server would hold up measurement. */
function workerPoolFor(kind: "measurement" | "remote"): Pool {
  const script = new URL("./engine.worker.ts", import.meta.url);
  const memory = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 };
  pools ??= { measurement: workerPool(script, 1, memory), remote: workerPool(script, 2, memory) };
  return pools[kind];
}
