/**
 * Responses requested before the app's own code was loaded, by address. Imports nothing, because it is loaded first.
 */
const pendingResponses = new Map<string, { answer: Promise<Response>; token: string }>();

export const isPrefetching = (url: string): boolean => pendingResponses.has(url);

/** @param token of the session that requested it; none for the address of a file, which names its own right */
export function addPrefetch(url: string, answer: Promise<Response>, token = ""): void {
  answer.catch(() => {});
  pendingResponses.set(url, { answer, token });
}

/**
 * Returns the response that was requested already, to be read once; undefined if there is none. One that another session
 * requested is dropped: a user may have signed out, and another one in, on the same page.
 * @param isOwn tells by a token whether the session of the caller requested it
 */
export function takePrefetched(
  url: string,
  isOwn = (token: string): boolean => token === "",
): Promise<Response> | undefined {
  const pending = pendingResponses.get(url);
  pendingResponses.delete(url);
  if (!pending || isOwn(pending.token)) return pending?.answer;
  pending.answer.then(({ body }) => body?.cancel()).catch(() => {});
  return undefined;
}
