import { addPrefetch, isPrefetching } from "../data/prefetched-responses.ts";
import { readPersistedFile } from "../browser/persisted-files.ts";

/** Begins to fetch the file that the page will need first. */
export async function prefetchFile(url: string): Promise<void> {
  if (isPrefetching(url) || (await readPersistedFile(url))) return;
  addPrefetch(url, fetch(url, { cache: "no-store" }));
}
