import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ResourceLimits } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";

/**
 * The answer of a worker thread to a task: its value, or the refusal that its input deserves; `died`: the thread did
 * not answer any more.
 */
export type TaskResult<R> = { value: R } | { refusal: RefusalName; died?: true };
/** The thread met a fault that its input did not cause: the task is to be tried again. */
export interface TaskFault {
  trouble: string;
}
/** A progress message from the worker, before its answer. */
interface Step {
  step: unknown;
}
/** The first message of a thread, once its script is loaded. */
export interface WorkerLoaded {
  loaded: true;
}

/** These limits bound the memory of a thread: its JavaScript heap, and the memory outside it. */
export interface ThreadLimits extends ResourceLimits {
  /**
   * Megabytes of buffers and WebAssembly memory, which Node's `resourceLimits` do not count. A task may additionally
   * hold its input twice (`inputBytes`). Memory of a native library is not visible: limit it before the library is
   * called.
   */
  maxExternalMb?: number;
}

interface RunOptions {
  /**
   * After this time the thread is ended and the task answers `fileTooSlow`. Waiting for a thread and its start do not
   * count.
   */
  timeoutMs: number;
  signal?: AbortSignal;
  onStep?: (step: unknown) => Promise<void> | void;
  /** The task uses so much memory that its thread is ended to free it: an idle thread collects nothing. */
  isLarge?: boolean;
  /** Size of the file that the task reads. */
  inputBytes?: number;
  /** Waiting tasks take turns between groups, so that the many files of one institution do not hold up another's. */
  group?: string;
}

export interface WorkerPool<T, R> {
  run(task: T, options: RunOptions): Promise<TaskResult<R>>;
  close(): Promise<void>;
}

/**
 * Runs threads that work on hostile bytes, one task at a time. A thread that exceeds its time or memory is ended with
 * its task and replaced; the process and the other tasks continue.
 */
export function workerPool<T, R>(script: URL, size: number, limits: ThreadLimits): WorkerPool<T, R> {
  const { maxExternalMb = Number.POSITIVE_INFINITY, ...resourceLimits } = limits;
  const idle: Worker[] = [];
  const waiting = createGroupQueue<(worker: Worker) => void>();
  const all = new Set<Worker>();
  const starts = new WeakMap<Worker, Promise<void>>();
  const spawn = (): Worker => {
    const worker = new Worker(script, { resourceLimits });
    worker.unref();
    // Without a listener the error would end the process; the running task receives it separately.
    worker.on("error", () => {});
    const start = waitUntilLoaded(worker);
    start.catch(() => {});
    starts.set(worker, start);
    worker.once("exit", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    all.add(worker);
    return worker;
  };
  const acquireWorker = (group: string): Promise<Worker> => {
    const worker = idle.pop() ?? (all.size < size ? spawn() : undefined);
    return worker ? Promise.resolve(worker) : new Promise((resolve) => waiting.add(group, resolve));
  };
  const releaseWorker = (worker: Worker, alive: boolean): void => {
    const next = alive ? worker : spawnIfNeeded(worker);
    if (!next) return;
    const first = waiting.next();
    if (first) first(next);
    else idle.push(next);
  };
  const spawnIfNeeded = (dead: Worker): Worker | null => {
    all.delete(dead);
    return waiting.isEmpty() ? null : spawn();
  };
  return {
    run: async (task, options) => {
      const worker = await acquireWorker(options.group ?? "");
      let alive = false;
      try {
        await starts.get(worker);
        options.signal?.throwIfAborted();
        const bytesMost = maxExternalMb * 1024 * 1024 + 2 * (options.inputBytes ?? 0);
        const outcome = await runTask<T, R>(worker, task, { ...options, bytesMost });
        alive = outcome.alive && !options.isLarge;
        return outcome.answer;
      } finally {
        if (!alive) await worker.terminate();
        releaseWorker(worker, alive);
      }
    },
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** A queue of groups: the groups take turns, each with its oldest item. */
function createGroupQueue<I>(): { add(group: string, item: I): void; next(): I | undefined; isEmpty(): boolean } {
  const groups = new Map<string, I[]>();
  return {
    add: (group, item) => {
      const items = groups.get(group);
      if (items) items.push(item);
      else groups.set(group, [item]);
    },
    next: () => {
      const [first] = groups;
      if (!first) return undefined;
      const [group, items] = first;
      const item = items.shift();
      groups.delete(group);
      if (items.length > 0) groups.set(group, items);
      return item;
    },
    isEmpty: () => groups.size === 0,
  };
}

/** If a thread cannot even load, the bytes that it was to read are not at fault. */
const waitUntilLoaded = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once("message", () => resolve()).once("error", reject);
    worker.once("exit", () => reject(new Error("a thread did not start")));
  });

function runTask<T, R>(
  worker: Worker,
  task: T,
  { timeoutMs, signal, onStep, bytesMost }: RunOptions & { bytesMost: number },
): Promise<{ answer: TaskResult<R>; alive: boolean }> {
  return new Promise((resolve, reject) => {
    let steps: Promise<void> = Promise.resolve();
    const ended = (finish: () => void) => {
      for (const watch of watches) watch.stop();
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onGone).off("exit", onGone);
      steps.then(finish, reject);
    };
    const onMessage = (message: TaskResult<R> | Step | TaskFault) => {
      if ("step" in message) {
        steps = steps.then(() => onStep?.(message.step));
        steps.catch(() => ended(() => {}));
      } else if ("trouble" in message) ended(() => reject(new Error(message.trouble)));
      else ended(() => resolve({ answer: message, alive: true }));
    };
    const finishDead = (answer: TaskResult<R>) => ended(() => resolve({ answer, alive: false }));
    // Out of memory, or a crash that its bytes caused.
    const onGone = () => finishDead({ refusal: "fileBroken", died: true });
    const onAbort = () => ended(() => reject(signal!.reason as Error));
    const watches = [
      watchTime(worker, timeoutMs, () => finishDead({ refusal: "fileTooSlow" })),
      ...(bytesMost < Infinity
        ? [watchMemory(worker, bytesMost, () => finishDead({ refusal: "fileTooMuchMemory" }))]
        : []),
    ];
    signal?.addEventListener("abort", onAbort);
    worker.on("message", onMessage).on("error", onGone).on("exit", onGone);
    worker.postMessage(task);
  });
}

/**
 * Calls `onTooSlow` once the thread has worked for so long. It measures processor time, since on a busy machine the clock
 * runs without the thread.
 */
function watchTime(worker: Worker, ms: number, onTooSlow: () => void): { stop: () => void } {
  const spent = () => worker.cpuUsage().then(({ user, system }) => (user + system) / 1000);
  let before = Promise.resolve(0);
  const end = Date.now() + ms * idleFactor;
  let stopped = false;
  const check = async (): Promise<void> => {
    const used = await Promise.race([spent().catch(() => Infinity), delay(ms, Infinity, { ref: false })]);
    const left = Math.min(ms - (used - (await before)), end - Date.now());
    if (stopped) return;
    if (left <= 0) return onTooSlow();
    timer = setTimeout(() => void check(), Math.max(20, left));
  };
  const begin = (): void => {
    before = Promise.race([spent().catch(() => 0), delay(ms, 0, { ref: false })]);
    timer = setTimeout(() => void check(), ms);
  };
  // The measurement interrupts the thread, and most tasks are done before it would show anything.
  let timer = setTimeout(begin, Math.min(watchAfterMs, ms));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const watchAfterMs = 50;

// A thread that neither works nor answers waits for a disk or a lock, but not for ever.
const idleFactor = 15;

/** Calls `onTooMuch` once the thread holds so many bytes of buffers and WebAssembly memory. */
function watchMemory(worker: Worker, bytesMost: number, onTooMuch: () => void): { stop: () => void } {
  let stopped = false;
  const check = async (): Promise<void> => {
    const held = await worker.getHeapStatistics().then(
      (heap) => heap.external_memory,
      () => 0,
    );
    if (stopped) return;
    if (held > bytesMost) return onTooMuch();
    timer = setTimeout(() => void check(), memoryCheckMs);
  };
  let timer = setTimeout(() => void check(), watchAfterMs);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

// In this time a thread fills about 100 MB.
const memoryCheckMs = 100;
