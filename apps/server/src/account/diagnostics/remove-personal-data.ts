/**
 * Removes possible personal data from a program's message: quoted values that are no identifiers, addresses, long
 * numbers, and characters outside the Latin of programs.
 */
export const removePersonalData = (text: string): string =>
  text
    // An unclosed quotation extends to the end of the line: a search for its end would start again at each beginning.
    .replace(/[‘“][^’”\n]*[’”]?/g, "…")
    .replace(/\S+/g, (word) => (isAddress(word) ? "(address)" : word))
    .replace(/https?:\/\/[^\s/?#)]+/g, "")
    .replace(/[?#][^\s:)]*/g, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "(id)")
    .replace(
      /(["'`])([^"'`’”\n]*)(["'`’”])/g,
      (_, open: string, quoted: string, close: string) =>
        open + (/^[\w$.[\]/()-]{0,80}$/.test(quoted) ? quoted : "…") + close,
    )
    .replace(/\d{5,}/g, "#")
    .replace(/[^\x09\x0a\x20-\x7e]+/g, "…");

/** True for something, an @, something, a dot, something. */
function isAddress(word: string): boolean {
  const at = word.indexOf("@", 1);
  return at > 0 && word.slice(at + 2, -1).includes(".");
}

/** Returns the path at which it happened, without query, fragment and personal data. */
export const pathWithoutPersonalData = (path: string): string => removePersonalData(path.split(/[?#]/)[0] ?? "");
