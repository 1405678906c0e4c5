import type { EngineOutcome, EngineTask } from "./engine-task.ts";

export interface RunOptions {
  /** Ends the run, which then throws the signal's reason. */
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress?: (share: number) => void;
  /** Of the clock; the usual limit of the engine's kind where it is absent. */
  timeoutMs?: number;
}

/**
 * Lets an engine look at a picture, apart from the event loop: measurement and remote servers in a thread, models in a
 * process of their own. Whatever comes back has passed the gate (`gate.ts`), or the outcome is a fault.
 * @throws the signal's reason; errors that are no engine's fault (a disk that is full), after which one may try again
 */
export async function runEngine(task: EngineTask, { signal }: RunOptions): Promise<EngineOutcome> {
  signal.throwIfAborted();
  return Promise.reject(new Error(`no engine ${task.engine.kind} yet`));
}
