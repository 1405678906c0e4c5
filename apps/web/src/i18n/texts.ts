import { use } from "react";
import { languageTags, languages, offeredLanguages, rightToLeft } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import type { FullKey, TextFile as EnglishFile } from "@arcada/texts/keys";
import { persistCookie, canWriteCookies, readCookie } from "../browser/cookies.ts";
import { readTabValue, writeTabValue } from "../browser/tab-storage.ts";
import { createStore, useStore } from "../browser/external-store.ts";
import { translate } from "./translate.ts";
import type { Texts, Values } from "./translate.ts";

export type { NameUnder } from "@arcada/texts/keys";
export type { Language } from "@arcada/contract/kernel/languages";
/** The BCP 47 tag by which `Intl` formats for the readers of a language. */
export const languageTagOf = (language: Language): string => languageTags[language];
/** The files of packages/texts that the web reads: those of emails and of the gateway's page are the server's. */
export type TextFile = Exclude<EnglishFile, "letter" | "gateway">;
/** A key begins with its file: `order.title` is in order.json. */
export type TextKey = FullKey<TextFile>;
export type Translate = (key: TextKey, values?: Values) => string;

const cookie = "language";
// The names of all files would be a part of the sign-in page, so those behind it have a module of their own.
const signInLoaders = import.meta.glob<Texts>(
  "../../../../packages/texts/{zh,en}/{account,common,factor,refusals}.json",
  {
    import: "default",
  },
);
const loadedTexts: Record<Language, Texts> = { zh: {}, en: {}, tr: {}, es: {}, ar: {}, ru: {} };
const pendingLoads = new Map<string, Promise<void>>();
const inUse = new Set<TextFile>();

const language = createStore<Language>("zh");
export const currentLanguage = (): Language => language.get();
export const useLanguage = (): Language => useStore(language);
export const onLanguageChange = language.subscribe;
/** A text outside React, in the language of the page. */
export const getText: Translate = (key, values) => translate(loadedTexts[language.get()], language.get(), key, values);

/** `const t = useTexts("order")`, then `t("order.title")`. The texts of `common` are always loaded. */
export function useTexts(...files: TextFile[]): Translate {
  const now = useLanguage();
  // Calls `use` for each file at every rendering: React tracks suspended promises by their order.
  for (const file of files) use(load(now, file));
  return translators[now];
}

/**
 * Translates a key that is known only at run time, such as a code from the server. Returns `fallback` if there is no
 * text.
 */
export function translateDynamic(t: Translate, key: string, fallback: string, values?: Values): string {
  // The assertion is checked here: without a text, the translation is the key.
  const text = t(key as TextKey, values);
  return text === key ? fallback : text;
}

/** Right to left or left to right. */
export const getDirection = (code: Language): "rtl" | "ltr" => (rightToLeft.includes(code) ? "rtl" : "ltr");
/** The languages that a choice shows: those offered, and the one in use. */
export const listLanguageChoices = (now: Language): Language[] => [...new Set<Language>([...offeredLanguages, now])];

// One function per language: values derived from `t` change exactly when the language does.
const translators = Object.fromEntries(
  languages.map((code): [Language, Translate] => [
    code,
    (key, values) => translate(loadedTexts[code], code, key, values),
  ]),
) as Record<Language, Translate>;

/** Loads the texts that a page needs; the page's route calls it while the page's code loads. */
export async function loadTexts(...files: TextFile[]): Promise<void> {
  await Promise.all(files.map((file) => load(language.get(), file)));
}

export async function initTexts(requested: string | null, ...files: TextFile[]): Promise<void> {
  if (requested) persistLanguage(detectLanguage(requested, undefined, []));
  applyLanguage(detectLanguage(requested, readCookie(cookie) ?? readTabValue(cookie), navigator.languages));
  await loadTexts(...files);
}

/** The cookie's language, else the browser's first, else Chinese. An address that names another language than ours means English. */
export function detectLanguage(
  requested: string | null,
  stored: string | undefined,
  browser: readonly string[],
): Language {
  if (requested) return findLanguage(requested) ?? "en";
  const known = findLanguage(stored);
  if (known) return known;
  return browser[0]?.toLowerCase().startsWith("en") ? "en" : "zh";
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  // A refusal shown on the page came in the old language and is translated here again.
  await Promise.all([...inUse, "refusals" as const].map((file) => load(chosen, file)));
  persistLanguage(chosen);
  applyLanguage(chosen);
}

/** Keeps the language of the page for a year; until the user has answered the cookie question, for this tab only. */
export function persistLanguage(chosen = currentLanguage()): void {
  if (canWriteCookies()) persistCookie(cookie, chosen);
  else writeTabValue(cookie, chosen);
}

const findLanguage = (name: string | undefined): Language | undefined => languages.find((one) => one === name);

function applyLanguage(chosen: Language): void {
  language.set(chosen);
  document.documentElement.lang = languageTags[chosen];
  document.documentElement.dir = getDirection(chosen);
}

function load(code: Language, file: TextFile): Promise<void> {
  inUse.add(file);
  const key = `${code}/${file}`;
  const known = pendingLoads.get(key);
  if (known) return known;
  const pending = fetchTexts(code, file);
  pendingLoads.set(key, pending);
  pending.then(
    // React reads a promise with a recorded outcome without suspending.
    () => Object.assign(pending, { status: "fulfilled", value: undefined }),
    // A file that failed to load is fetched again the next time.
    () => pendingLoads.delete(key),
  );
  return pending;
}

async function fetchTexts(code: Language, file: TextFile): Promise<void> {
  const path = `../../../../packages/texts/${code}/${file}.json`;
  const loader = signInLoaders[path] ?? (await getFurtherLoaders(code))[path];
  const texts = loader ? await loader() : {};
  loadedTexts[code] = { ...loadedTexts[code], [file]: texts };
}

async function getFurtherLoaders(code: Language): Promise<typeof signInLoaders> {
  if (offeredLanguages.some((one) => one === code)) return (await import("./texts-behind-sign-in.ts")).loaders;
  return (await import("./unoffered-language-texts.ts")).otherLanguageLoaders;
}
