import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ResourceLimits } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";

/** What a worker thread answers to a task: its value, or the refusal that its input deserves; `died`: the thread did not answer any more. */
export type Answer<R> = { value: R } | { refusal: RefusalName; died?: true };
/** The thread met trouble that is not its input's fault: the task is to be tried again. */
export interface Trouble {
  trouble: string;
}
/** A message from the worker on the way, before its answer. */
interface Step {
  step: unknown;
}
/** A thread's first word, once its script is loaded. */
export interface Loaded {
  loaded: true;
}

interface RunOptions {
  /** After that the thread is ended and the task answers `fileTooSlow`. Waiting for a thread and its start do not count. */
  timeoutMs: number;
  signal?: AbortSignal;
  onStep?: (step: unknown) => Promise<void> | void;
  /** The task takes so much memory that its thread gives it back by ending: an idle thread collects nothing. */
  isLarge?: true;
}

export interface WorkerPool<T, R> {
  run(task: T, options: RunOptions): Promise<Answer<R>>;
  close(): Promise<void>;
}

/**
 * Threads that work on hostile bytes one task at a time. A thread that takes too long or too much memory is ended with
 * its task and replaced; the process and the other tasks go on.
 */
export function workerPool<T, R>(script: URL, size: number, resourceLimits: ResourceLimits): WorkerPool<T, R> {
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  const all = new Set<Worker>();
  const starts = new WeakMap<Worker, Promise<void>>();
  const spawn = (): Worker => {
    const worker = new Worker(script, { resourceLimits });
    worker.unref();
    // Without a listener the error would end the process; the task under way hears of it by its own.
    worker.on("error", () => {});
    const start = loads(worker);
    start.catch(() => {});
    starts.set(worker, start);
    worker.once("exit", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    all.add(worker);
    return worker;
  };
  const take = (): Promise<Worker> => {
    const worker = idle.pop() ?? (all.size < size ? spawn() : undefined);
    return worker ? Promise.resolve(worker) : new Promise((resolve) => void waiting.push(resolve));
  };
  const give = (worker: Worker, alive: boolean): void => {
    const next = alive ? worker : spawnIfNeeded(worker);
    if (!next) return;
    const first = waiting.shift();
    if (first) first(next);
    else idle.push(next);
  };
  const spawnIfNeeded = (dead: Worker): Worker | null => {
    all.delete(dead);
    return waiting.length > 0 ? spawn() : null;
  };
  return {
    run: async (task, options) => {
      const worker = await take();
      let alive = false;
      try {
        await starts.get(worker);
        options.signal?.throwIfAborted();
        const answer = await ask<T, R>(worker, task, options);
        alive = answer.alive && !options.isLarge;
        return answer.answer;
      } finally {
        if (!alive) await worker.terminate();
        give(worker, alive);
      }
    },
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** A thread that cannot even load is no fault of the bytes that it was to read. */
const loads = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once("message", () => resolve()).once("error", reject);
    worker.once("exit", () => reject(new Error("a thread did not start")));
  });

function ask<T, R>(
  worker: Worker,
  task: T,
  { timeoutMs, signal, onStep }: RunOptions,
): Promise<{ answer: Answer<R>; alive: boolean }> {
  return new Promise((resolve, reject) => {
    let steps: Promise<void> = Promise.resolve();
    const ended = (finish: () => void) => {
      watch.stop();
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onGone).off("exit", onGone);
      steps.then(finish, reject);
    };
    const onMessage = (message: Answer<R> | Step | Trouble) => {
      if ("step" in message) {
        steps = steps.then(() => onStep?.(message.step));
        steps.catch(() => ended(() => {}));
      } else if ("trouble" in message) ended(() => reject(new Error(message.trouble)));
      else ended(() => resolve({ answer: message, alive: true }));
    };
    const dead = (answer: Answer<R>) => ended(() => resolve({ answer, alive: false }));
    // Out of memory, or a fault that its bytes led to.
    const onGone = () => dead({ refusal: "fileBroken", died: true });
    const onAbort = () => ended(() => reject(signal!.reason as Error));
    const watch = watched(worker, timeoutMs, () => dead({ refusal: "fileTooSlow" }));
    signal?.addEventListener("abort", onAbort);
    worker.on("message", onMessage).on("error", onGone).on("exit", onGone);
    worker.postMessage(task);
  });
}

/** Calls once the thread has worked for so long: of the processor, since on a busy machine the clock runs without it. */
function watched(worker: Worker, ms: number, tooSlow: () => void): { stop: () => void } {
  const spent = () => worker.cpuUsage().then(({ user, system }) => (user + system) / 1000);
  let before = Promise.resolve(0);
  const end = Date.now() + ms * idleFactor;
  let stopped = false;
  const look = async (): Promise<void> => {
    const used = await Promise.race([spent().catch(() => Infinity), delay(ms, Infinity, { ref: false })]);
    const left = Math.min(ms - (used - (await before)), end - Date.now());
    if (stopped) return;
    if (left <= 0) return tooSlow();
    timer = setTimeout(() => void look(), Math.max(20, left));
  };
  const begin = (): void => {
    before = Promise.race([spent().catch(() => 0), delay(ms, 0, { ref: false })]);
    timer = setTimeout(() => void look(), ms);
  };
  // Asking interrupts the thread; most tasks are done before it would tell anything.
  let timer = setTimeout(begin, Math.min(watchedAfterMs, ms));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const watchedAfterMs = 50;

// A thread that neither works nor answers waits for a disk or a lock, and not for ever.
const idleFactor = 15;
