import { addPrefetch, isPrefetching } from "./early-answers.ts";
import { readPersistedFile } from "./kept-files.ts";

/** Begins to fetch the file that the page will need first. */
export async function prefetchFile(url: string): Promise<void> {
  if (isPrefetching(url) || (await readPersistedFile(url))) return;
  addPrefetch(url, fetch(url, { cache: "no-store" }));
}
