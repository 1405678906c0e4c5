/**
 * Responses requested before the app's own code was loaded, by address. Imports nothing, because it is loaded first.
 */
const coming = new Map<string, Promise<Response>>();

export const isComing = (url: string): boolean => coming.has(url);

export function bringEarly(url: string, answer: Promise<Response>): void {
  answer.catch(() => {});
  coming.set(url, answer);
}

/** Returns the response that was requested already, to be read once; undefined if there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = coming.get(url);
  coming.delete(url);
  return answer;
}
