import pLimit from "p-limit";

/** Processes all items, some at a time; after the first failure it ends as soon as the items in progress have ended. */
export async function forEachConcurrent<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, place: number) => Promise<void>,
): Promise<void> {
  const tasks = createTaskPool(concurrency);
  try {
    for (const [place, item] of items.entries()) await tasks.add(() => work(item, place));
  } finally {
    await tasks.done();
  }
}

/**
 * Processes work as it comes, some at a time: `add` waits for a free slot, `done` for all. Both throw the first error.
 */
export function createTaskPool(concurrency: number): {
  add(work: () => Promise<void>): Promise<void>;
  done(): Promise<void>;
} {
  const limit = pLimit(concurrency);
  const tasks: Promise<void>[] = [];
  const failures: unknown[] = [];
  const check = () => {
    if (failures.length > 0) throw failures[0];
  };
  const begin = async (work: () => Promise<void>, began: () => void): Promise<void> => {
    // No more work begins after a failure.
    if (failures.length > 0) return began();
    try {
      began();
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  return {
    add: async (work) => {
      await new Promise<void>((resolve) => void tasks.push(limit(begin, work, resolve)));
      check();
    },
    done: async () => {
      await Promise.all(tasks);
      check();
    },
  };
}
