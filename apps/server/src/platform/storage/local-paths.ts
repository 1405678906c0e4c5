import { files } from "../runtime/services.ts";
import type { StorageArea } from "./file-store.ts";

interface StoredContent {
  area: StorageArea;
  sha256: string;
}

/** Lends the local paths of all these contents at once. Refuses `notFound` if the store has lost one of them. */
export function withLocalPaths<T>(
  iid: string,
  stored: readonly StoredContent[],
  work: (paths: string[]) => Promise<T>,
  paths: string[] = [],
): Promise<T> {
  const next = stored[paths.length];
  return next === undefined
    ? work(paths)
    : files().local(next.area, iid, next.sha256, (at) => withLocalPaths(iid, stored, work, [...paths, at]));
}
