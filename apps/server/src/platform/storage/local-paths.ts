import { forEachConcurrent } from "../runtime/concurrency.ts";
import { files } from "../runtime/services.ts";
import type { StorageArea } from "./file-store.ts";

interface StoredContent {
  area: StorageArea;
  sha256: string;
}

/** A store in a bucket fetches so many files at once. */
const opensAtOnce = 4;

/**
 * Lends the local paths of all these contents at once, in their order. Refuses as `files().local` does if one of them
 * cannot be lent, `notFound` for one that the store has lost.
 */
export async function withLocalPaths<T>(
  iid: string,
  stored: readonly StoredContent[],
  work: (paths: string[]) => Promise<T>,
): Promise<T> {
  const finished = Promise.withResolvers<void>();
  const loans: Promise<void>[] = [];
  const paths: string[] = [];
  try {
    await forEachConcurrent([...stored.entries()], opensAtOnce, async ([place, { area, sha256 }]) => {
      const opened = Promise.withResolvers<void>();
      const loan = files().local(area, iid, sha256, (path) => {
        paths[place] = path;
        opened.resolve();
        return finished.promise;
      });
      loan.catch(opened.reject);
      loans.push(loan);
      await opened.promise;
    });
    return await work(paths);
  } finally {
    finished.resolve();
    await Promise.allSettled(loans);
  }
}
