import { isStalePlan } from "./prepared-statements.ts";

/** PostgreSQL: a deadlock, or a serialization failure; nothing of this transaction was written. */
const ended = new Set(["40P01", "40001"]);
const triesMost = 3;

/**
 * Retries a transaction that the database aborted in favour of another, or whose prepared plan is outdated. `work` is
 * the whole transaction and has no effect outside it.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let left = triesMost - 1; ; left--)
    try {
      return await work();
    } catch (error) {
      const isPassing = ended.has((error as { code?: string }).code ?? "") || isStalePlan(error);
      if (left === 0 || !isPassing) throw error;
    }
}
