import { rightToLeft } from "@arcada/contract/kernel/languages";
import { toNonBreaking } from "./non-breaking.ts";

/** A file of packages/texts, as it was read. */
export type Texts = { [key: string]: string | Texts };
export type Values = Record<string, string | number | null | undefined>;

/**
 * A text by its key, its {{placeholders}} filled: `order.title` is `title` of order.json. With `count` the form of the
 * language is taken: `key_one`, `key_other`. Returns the key itself if there is no text.
 */
export function translate(texts: Texts, language: string, key: string, values: Values = {}): string {
  const plural =
    typeof values["count"] === "number"
      ? findText(texts, `${key}_${new Intl.PluralRules(language).select(values["count"])}`)
      : undefined;
  const found =
    plural ??
    findText(texts, key) ??
    (typeof values["count"] === "number" ? findText(texts, `${key}_other`) : undefined);
  if (found === undefined) return key;
  return toNonBreaking(found).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    isolate(language, String(values[name] ?? "")),
  );
}

/**
 * A name in another script keeps its own direction and leaves that of the words around it: "张**" must not become
 * "**张". The bidi algorithm reverses numbers that a hyphen joins behind Arabic letters (UAX 9, W2 and W4), so these
 * numbers are isolated as well.
 */
const isolate = (language: string, value: string): string =>
  !isRightToLeft(language) || /^[\d.,:/%]*$/.test(value) ? value : `\u2068${value}\u2069`;
const isRightToLeft = (language: string): boolean => (rightToLeft as readonly string[]).includes(language);

function findText(texts: Texts, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<Texts | string | undefined>((node, part) => (typeof node === "object" ? node[part] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}
