import { isOutdated } from "./planned-once.ts";

/** PostgreSQL: two waited for each other, or saw each other's rows change; nothing of this one was written. */
const ended = new Set(["40P01", "40001"]);
const triesMost = 3;

/**
 * Does a transaction anew that the database ended for the sake of another, or could not plan as before. `work` is whole and
 * leaves nothing outside.
 */
export async function anew<T>(work: () => Promise<T>): Promise<T> {
  for (let left = triesMost - 1; ; left--)
    try {
      return await work();
    } catch (error) {
      const isPassing = ended.has((error as { code?: string }).code ?? "") || isOutdated(error);
      if (left === 0 || !isPassing) throw error;
    }
}
