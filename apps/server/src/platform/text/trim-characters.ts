/**
 * Returns a text without the trailing characters that match `dropped`, a pattern of one character. It goes by index: a
 * search for /x+$/ starts again at every x of a run, which is quadratic work if the run is not at the end.
 */
export function trimEndMatching(text: string, dropped: RegExp): string {
  let end = text.length;
  while (end > 0 && dropped.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Does the same at both ends. */
export function trimMatching(text: string, dropped: RegExp): string {
  const shorter = trimEndMatching(text, dropped);
  let start = 0;
  while (start < shorter.length && dropped.test(shorter[start]!)) start += 1;
  return shorter.slice(start);
}
