import { readFileSync } from "node:fs";
import path from "node:path";
import { languages } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";

export type { Language } from "@arcada/contract/kernel/languages";

const folder = path.join(import.meta.dirname, "../../../../../packages/texts");
const cache = new Map<string, Record<string, unknown>>();

/**
 * Returns a text of packages/texts with its {{placeholders}} filled, in the plural form for `count`; the key itself if
 * there is no text.
 */
export function translate(
  language: Language,
  file: string,
  key: string,
  values: Record<string, string | number> = {},
): string {
  const all = loadTexts(language, file);
  const form = typeof values["count"] === "number" ? new Intl.PluralRules(language).select(values["count"]) : "other";
  const found = findText(all, `${key}_${form}`) ?? findText(all, key) ?? findText(all, `${key}_other`);
  // A text that is missing in a language is shown in English.
  if (found === undefined) return language === "en" ? key : translate("en", file, key, values);
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

function loadTexts(language: Language, file: string): Record<string, unknown> {
  const key = `${language}/${file}`;
  const known = cache.get(key);
  if (known) return known;
  const read = JSON.parse(readFileSync(path.join(folder, `${key}.json`), "utf8")) as Record<string, unknown>;
  cache.set(key, read);
  return read;
}
