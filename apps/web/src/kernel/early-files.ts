import { bringEarly, isComing } from "./early-answers.ts";
import { keptFile } from "./kept-files.ts";

/** Begins to fetch the file that the page will need first. */
export async function fetchEarly(url: string): Promise<void> {
  if (isComing(url) || (await keptFile(url))) return;
  bringEarly(url, fetch(url, { cache: "no-store" }));
}
