import { isStorable } from "@arcada/contract/kernel/storable-text";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { refuse } from "../../platform/http/refuse.ts";

/** One condition `path eq value`. */
export interface FilterTerm {
  path: string;
  value: string | boolean | number;
}

/**
 * Reads a filter (RFC 7644, 3.4.2.2): conditions with `eq`, joined by `and`. Identity providers look people up by such
 * filters alone, so that every other operator is refused by name.
 */
export function parseFilter(text: string): FilterTerm[] {
  if (text.length > scimRules.filterLength) refuseFilter();
  const terms: FilterTerm[] = [];
  let at = skipSpaces(text, 0);
  for (;;) {
    const path = readWord(text, at);
    at = skipSpaces(text, path.end);
    const operator = readWord(text, at);
    if (path.word === "" || operator.word.toLowerCase() !== "eq") refuseFilter();
    at = skipSpaces(text, operator.end);
    const value = text[at] === '"' ? readQuoted(text, at) : readWord(text, at);
    terms.push({ path: path.word, value: parseValue(value.word) });
    at = skipSpaces(text, value.end);
    if (at >= text.length) return terms;
    const joint = readWord(text, at);
    if (joint.word.toLowerCase() !== "and" || terms.length >= scimRules.filterTerms) refuseFilter();
    at = skipSpaces(text, joint.end);
  }
}

export const refuseFilter = (): never => refuse("scimFilter", { most: scimRules.filterTerms });

interface Token {
  word: string;
  end: number;
}
function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at++;
  return at;
}

/** Reads up to the next space outside of square brackets. */
function readWord(text: string, from: number): Token {
  let end = from;
  for (let isBracketed = false; end < text.length && (isBracketed || text[end] !== " "); end++) {
    if (text[end] === "[") isBracketed = true;
    if (text[end] === "]") isBracketed = false;
  }
  return { word: text.slice(from, end), end };
}

/** Reads a text in quotation marks, with them. */
function readQuoted(text: string, from: number): Token {
  let end = from + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return { word: text.slice(from, end + 1), end: end + 1 };
}

/** A value is written as in JSON; only the words for true and false may have capitals. */
function parseValue(word: string): FilterTerm["value"] {
  try {
    const value: unknown = JSON.parse(word.startsWith('"') ? word : word.toLowerCase());
    if ((typeof value === "string" && isStorable(value)) || typeof value === "boolean" || typeof value === "number")
      return value;
  } catch {
    // Anything else is refused below.
  }
  return refuseFilter();
}
