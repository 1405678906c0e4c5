/**
 * Responses requested before the app's own code was loaded, by address. Imports nothing, because it is loaded first.
 */
const pendingResponses = new Map<string, Promise<Response>>();

export const isPrefetching = (url: string): boolean => pendingResponses.has(url);

export function addPrefetch(url: string, answer: Promise<Response>): void {
  answer.catch(() => {});
  pendingResponses.set(url, answer);
}

/** Returns the response that was requested already, to be read once; undefined if there is none. */
export function takePrefetched(url: string): Promise<Response> | undefined {
  const answer = pendingResponses.get(url);
  pendingResponses.delete(url);
  return answer;
}
