import { bringEarly, isComing } from "./early-answers.ts";
import { keptFile } from "./kept-files.ts";

/** Begins to fetch a file that the page will want first. */
export async function fetchEarly(url: string): Promise<void> {
  if (isComing(url) || (await keptFile(url))) return;
  bringEarly(url, fetch(url, { cache: "no-store" }));
}
