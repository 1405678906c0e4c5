import { isStalePlan } from "./prepared-statements.ts";

/** PostgreSQL: a deadlock, or a serialization failure; nothing of this transaction was written. */
const abortedCodes = new Set(["40P01", "40001"]);
const maxAttempts = 3;

/**
 * Retries a transaction that the database aborted in favour of another, or whose prepared plan is outdated. `work` is
 * the whole transaction and has no effect outside it.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = maxAttempts - 1; ; attemptsLeft--)
    try {
      return await work();
    } catch (error) {
      const isTransient = abortedCodes.has((error as { code?: string }).code ?? "") || isStalePlan(error);
      if (attemptsLeft === 0 || !isTransient) throw error;
    }
}
