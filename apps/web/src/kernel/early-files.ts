import { keptFile } from "./kept-files.ts";

const coming = new Map<string, Promise<Response>>();

/** Begins to fetch a file that the page will want first. */
export async function fetchEarly(url: string): Promise<void> {
  if (coming.has(url) || (await keptFile(url))) return;
  const response = fetch(url, { cache: "no-store" });
  response.catch(() => {});
  coming.set(url, response);
}

/** The answer that is on its way already, to be read once; undefined where there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const response = coming.get(url);
  coming.delete(url);
  return response;
}
