/** Answers that were asked for before the app's own code was there, by address. Imports nothing: it comes first. */
const coming = new Map<string, Promise<Response>>();

export const isComing = (url: string): boolean => coming.has(url);

export function bringEarly(url: string, answer: Promise<Response>): void {
  answer.catch(() => {});
  coming.set(url, answer);
}

/** The answer that is on its way already, to be read once; undefined where there is none. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const answer = coming.get(url);
  coming.delete(url);
  return answer;
}
