import { LRUCache } from "lru-cache";

/** One media range of an Accept header, its parameters in lower case. */
export interface MediaRange {
  type: string;
  parameters: Record<string, string>;
  q: number;
}

/** The ranges of an Accept header, the most wanted first; without one everything is accepted. */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  const text = header?.trim() || "*/*";
  const known = parsedHeaders.get(text) ?? parseRanges(text);
  parsedHeaders.set(text, known);
  return known;
}
// A viewer sends the same header with each of its requests.
const parsedHeaders = new LRUCache<string, readonly MediaRange[]>({ max: 100 });

function parseRanges(header: string): MediaRange[] {
  const ranges = splitUnquoted(header, ",").map((text) => {
    const [type = "", ...rest] = splitUnquoted(text, ";");
    const parameters = Object.fromEntries(
      rest.map((one) => {
        const at = one.indexOf("=");
        const value = at < 0 ? "" : one.slice(at + 1).trim();
        return [
          one
            .slice(0, at < 0 ? one.length : at)
            .trim()
            .toLowerCase(),
          value.replace(/^"(.*)"$/, "$1"),
        ];
      }),
    );
    return { type: type.trim().toLowerCase(), parameters, q: Number(parameters.q ?? 1) };
  });
  return ranges.filter(({ q }) => q > 0).toSorted((one, other) => other.q - one.q);
}

/** Splits a text; commas and semicolons within quotation marks do not separate. */
function splitUnquoted(text: string, by: "," | ";"): string[] {
  const parts: string[] = [""];
  let quoted = false;
  for (const letter of text.slice(0, 4000)) {
    if (letter === '"') quoted = !quoted;
    if (letter === by && !quoted) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** Returns the first of these types that the ranges accept, in the order of the client's preferences; null: none. */
export function chooseType<T extends string>(ranges: readonly MediaRange[], types: readonly T[]): T | null {
  for (const { type } of ranges) {
    const found = types.find(
      (one) => type === one || type === "*/*" || (type.endsWith("/*") && one.startsWith(type.slice(0, -1))),
    );
    if (found) return found;
  }
  return null;
}

/**
 * A form in which files or frames may be sent: the media type, the transfer syntax ("*": any), and multipart or single
 * part.
 */
export interface AcceptedForm {
  type: string;
  syntax: string | null;
  multipart: boolean;
}

/** Returns every form that a range covers, a `multipart/related` one by its `type`. */
export const acceptedForms = (ranges: readonly MediaRange[]): AcceptedForm[] =>
  ranges.map(({ type, parameters }) => ({
    type: type === "multipart/related" ? (parameters.type ?? "*/*").toLowerCase() : type,
    syntax: parameters["transfer-syntax"] ?? null,
    multipart: type === "multipart/related" || type.startsWith("*") || type.startsWith("multipart/*"),
  }));
