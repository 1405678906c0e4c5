import { use } from "react";
import { keepCookie, readCookie } from "./cookies.ts";
import { createStore, useStore } from "./store.ts";
import { translate } from "./translate.ts";
import type { Texts, Values } from "./translate.ts";

export const languages = ["zh", "en"] as const;
export type Language = (typeof languages)[number];
/** The files of packages/texts that the web reads. A key begins with its file: `order.title` stands in order.json. */
export type TextFile =
  | "common"
  | "shell"
  | "account"
  | "legal"
  | "institution"
  | "relation"
  | "member"
  | "notice"
  | "capacity"
  | "patient"
  | "study"
  | "refusals"
  | "order"
  | "viewer";
export type Translate = (key: string, values?: Values) => string;

const cookie = "language";
const loaders = import.meta.glob<Texts>("../../../../packages/texts/*/*.json", { import: "default" });
const read: Record<Language, Texts> = { zh: {}, en: {} };
const reading = new Map<string, Promise<void>>();
const inUse = new Set<TextFile>();

const language = createStore<Language>("zh");
export const currentLanguage = (): Language => language.get();
export const useLanguage = (): Language => useStore(language);
/** A text outside React, in the language of the page. */
export const say: Translate = (key, values) => translate(read[language.get()], language.get(), key, values);

/** `const t = useTexts("order")`, then `t("order.title")`. The texts of `common` are always there. */
export function useTexts(...files: TextFile[]): Translate {
  const now = useLanguage();
  for (const file of files) if (!(file in read[now])) use(load(now, file));
  return now === "zh" ? inChinese : inEnglish;
}

// One function per language: what depends on `t` changes exactly when the language does.
const inChinese: Translate = (key, values) => translate(read.zh, "zh", key, values);
const inEnglish: Translate = (key, values) => translate(read.en, "en", key, values);

/** Brings the texts that a page needs; the page's route calls it while the page's code loads. */
export async function loadTexts(...files: TextFile[]): Promise<void> {
  await Promise.all(files.map((file) => load(language.get(), file)));
}

export async function startTexts(asked: string | null, ...files: TextFile[]): Promise<void> {
  if (asked) keepCookie(cookie, firstLanguage(asked, undefined, []));
  language.set(firstLanguage(asked, readCookie(cookie), navigator.languages));
  document.documentElement.lang = htmlLanguage[language.get()];
  await loadTexts(...files);
}

/** The cookie's language, else the browser's first, else Chinese. An address that names another language than ours means English. */
export function firstLanguage(asked: string | null, kept: string | undefined, browser: readonly string[]): Language {
  if (asked) return asked === "zh" ? "zh" : "en";
  if (kept === "zh" || kept === "en") return kept;
  return browser[0]?.toLowerCase().startsWith("en") ? "en" : "zh";
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  await Promise.all([...inUse].map((file) => load(chosen, file)));
  keepCookie(cookie, chosen);
  language.set(chosen);
  document.documentElement.lang = htmlLanguage[chosen];
}

const htmlLanguage: Record<Language, string> = { zh: "zh-CN", en: "en" };

function load(of: Language, file: TextFile): Promise<void> {
  inUse.add(file);
  const key = `${of}/${file}`;
  const known = reading.get(key);
  if (known) return known;
  const bringing = bring(of, file);
  reading.set(key, bringing);
  // A file that did not arrive is asked for again the next time.
  bringing.catch(() => reading.delete(key));
  return bringing;
}

async function bring(of: Language, file: TextFile): Promise<void> {
  const loader = loaders[`../../../../packages/texts/${of}/${file}.json`];
  const texts = loader ? await loader() : {};
  read[of] = { ...read[of], [file]: texts };
}
