import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { translate } from "../../../apps/web/src/i18n/translate.ts";
import type { Texts, Values } from "../../../apps/web/src/i18n/translate.ts";

export const languages = ["zh", "en"] as const;
export type Language = (typeof languages)[number];
export type Translator = (key: string, values?: Values) => string;

/** The texts of the product: a journey finds its way by them, so that another wording breaks nothing. */
export const createTranslator = (language: Language): Translator => {
  const texts = readTexts(language);
  return (key, values) => {
    const found = translate(texts, language, key, values);
    if (found === key) throw new Error(`There is no text ${key} in ${language}`);
    return found;
  };
};

const folder = path.join(import.meta.dirname, "../../../packages/texts");
const readTexts = (language: Language): Texts =>
  Object.fromEntries(
    readdirSync(path.join(folder, language)).map((file) => [
      path.basename(file, ".json"),
      JSON.parse(readFileSync(path.join(folder, language, file), "utf8")) as Texts,
    ]),
  );
