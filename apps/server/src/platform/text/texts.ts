import { readFileSync } from "node:fs";
import path from "node:path";
import { languages } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import type { KeyIn, TextFile } from "@arcada/texts/keys";

export type { Language } from "@arcada/contract/kernel/languages";
export type { KeyIn, NameUnder, TextFile } from "@arcada/texts/keys";

const folder = path.join(import.meta.dirname, "../../../../../packages/texts");
const cache = new Map<string, Record<string, unknown>>();

type Values = Record<string, string | number>;
/** Translates the keys of one file of packages/texts. */
export type TranslateIn<File extends TextFile> = (key: KeyIn<File>, values?: Values) => string;

/** Returns a text of packages/texts with its {{placeholders}} filled, in the plural form for `count`. */
export const translate = <File extends TextFile>(
  language: Language,
  file: File,
  key: KeyIn<File>,
  values?: Values,
): string => translateDynamic(language, file, key, key, values);

export const translatorOf =
  <File extends TextFile>(language: Language, file: File): TranslateIn<File> =>
  (key, values) =>
    translate(language, file, key, values);

/**
 * Translates a key that is known only at run time, such as a code that an older version of the product has recorded.
 * Returns `fallback` if there is no text.
 */
export function translateDynamic(
  language: Language,
  file: TextFile,
  key: string,
  fallback: string,
  values: Values = {},
): string {
  const all = loadTexts(language, file);
  const form = typeof values["count"] === "number" ? new Intl.PluralRules(language).select(values["count"]) : "other";
  const found = findText(all, `${key}_${form}`) ?? findText(all, key) ?? findText(all, `${key}_other`);
  // A text that is missing in a language is shown in English.
  if (found === undefined) return language === "en" ? fallback : translateDynamic("en", file, key, fallback, values);
  return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}

function findText(texts: unknown, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], texts);
  return typeof found === "string" ? found : undefined;
}

/** Returns the reader's language from Accept-Language: the first supported one that it names. */
export function parseLanguage(header: string | undefined): Language {
  const named = (header ?? "").split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
  return (
    languages.find((language) => named[0] === language) ??
    languages.find((language) => named.includes(language)) ??
    "en"
  );
}

function loadTexts(language: Language, file: TextFile): Record<string, unknown> {
  const key = `${language}/${file}`;
  const known = cache.get(key);
  if (known) return known;
  const read = JSON.parse(readFileSync(path.join(folder, `${key}.json`), "utf8")) as Record<string, unknown>;
  cache.set(key, read);
  return read;
}
