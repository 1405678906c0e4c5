/**
 * A message of a program without what may be somebody's: quoted values that are no names of a program, addresses,
 * long numbers, and writing other than the Latin of programs.
 */
export const withoutPeople = (text: string): string =>
  text
    .replace(/[‘“][^’”\n]*[’”]/g, "…")
    .replace(/\S+@\S+\.\S+/g, "(address)")
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

/** Where it happened, without what the address says after the path. */
export const pathAlone = (path: string): string => withoutPeople(path.split(/[?#]/)[0] ?? "");
