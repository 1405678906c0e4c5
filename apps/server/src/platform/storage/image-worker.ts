import { workerPool } from "../runtime/worker-pool.ts";
import type { WorkerPool } from "../runtime/worker-pool.ts";

const timeoutMs = 20_000;

/**
 * Runs work on one image in a thread, which starts with the first image; the result is null if the image cannot be
 * read.
 */
export function createImageWorker<T, R>(script: URL): (task: T) => Promise<R | null> {
  let pool: WorkerPool<T, R> | undefined;
  return async (task) => {
    pool ??= workerPool(script, 1, { maxOldGenerationSizeMb: 512 });
    const result = await pool.run(task, { timeoutMs });
    return "refusal" in result ? null : result.value;
  };
}
