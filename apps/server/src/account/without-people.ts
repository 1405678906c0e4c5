/**
 * A message of a program without what may be somebody's: quoted values that are no names of a program, addresses,
 * long numbers, and writing other than the Latin of programs.
 */
export const withoutPeople = (text: string): string =>
  text
    // Without its end a quotation goes as far as the line: a search for the end would begin anew at each beginning.
    .replace(/[‘“][^’”\n]*[’”]?/g, "…")
    .replace(/\S+/g, (word) => (isAddress(word) ? "(address)" : word))
    .replace(/https?:\/\/[^\s/?#)]+/g, "")
    .replace(/[?#][^\s:)]*/g, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "(id)")
    .replace(
      /(["'`])([^"'`’”\n]*)(["'`’”])/g,
      (_, open: string, said: string, close: string) =>
        open + (/^[\w$.[\]/()-]{0,80}$/.test(said) ? said : "…") + close,
    )
    .replace(/\d{5,}/g, "#")
    .replace(/[^\x09\x0a\x20-\x7e]+/g, "…");

/** Something, an @, something, a dot, something. */
function isAddress(word: string): boolean {
  const at = word.indexOf("@", 1);
  return at > 0 && word.slice(at + 2, -1).includes(".");
}

/** Where it happened, without what the address says after the path. */
export const pathAlone = (path: string): string => withoutPeople(path.split(/[?#]/)[0] ?? "");
