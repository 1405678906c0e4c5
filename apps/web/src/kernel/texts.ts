import { use } from "react";
import { languageTags, languages, offeredLanguages, rightToLeft } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import { keepCookie, mayWriteCookies, readCookie } from "./cookies.ts";
import { readTabValue, writeTabValue } from "./tab-storage.ts";
import { createStore, useStore } from "./store.ts";
import { translate } from "./translate.ts";
import type { Texts, Values } from "./translate.ts";

export type { Language } from "@arcada/contract/kernel/languages";
/** The files of packages/texts that the web reads. A key begins with its file: `order.title` is in order.json. */
export type TextFile =
  | "common"
  | "shell"
  | "account"
  | "factor"
  | "legal"
  | "institution"
  | "interface"
  | "leaving"
  | "trail"
  | "relation"
  | "member"
  | "notice"
  | "capacity"
  | "dashboard"
  | "operator"
  | "myCapacity"
  | "cards"
  | "clinic"
  | "feedback"
  | "upgrade"
  | "service"
  | "patient"
  | "visit"
  | "workorder"
  | "consent"
  | "study"
  | "share"
  | "inbox"
  | "upload"
  | "report"
  | "refusals"
  | "order"
  | "orderDetail"
  | "forward"
  | "viewer"
  | "ceph"
  | "chart"
  | "device"
  | "analysis";
export type Translate = (key: string, values?: Values) => string;

const cookie = "language";
const loaders = import.meta.glob<Texts>("../../../../packages/texts/{zh,en}/*.json", { import: "default" });
const read: Record<Language, Texts> = { zh: {}, en: {}, tr: {}, es: {}, ar: {}, ru: {} };
const reading = new Map<string, Promise<void>>();
const inUse = new Set<TextFile>();

const language = createStore<Language>("zh");
export const currentLanguage = (): Language => language.get();
export const useLanguage = (): Language => useStore(language);
export const onLanguage = language.subscribe;
/** A text outside React, in the language of the page. */
export const say: Translate = (key, values) => translate(read[language.get()], language.get(), key, values);

/** `const t = useTexts("order")`, then `t("order.title")`. The texts of `common` are always loaded. */
export function useTexts(...files: TextFile[]): Translate {
  const now = useLanguage();
  // Calls `use` for each file at every rendering: React tracks suspended promises by their order.
  for (const file of files) use(load(now, file));
  return speakers[now];
}

/** Right to left or left to right. */
export const directionOf = (of: Language): "rtl" | "ltr" => (rightToLeft.includes(of) ? "rtl" : "ltr");
/** The languages that a choice shows: those offered, and the one in use. */
export const choiceOfLanguages = (now: Language): Language[] => [...new Set<Language>([...offeredLanguages, now])];

// One function per language: values derived from `t` change exactly when the language does.
const speakers = Object.fromEntries(
  languages.map((of): [Language, Translate] => [of, (key, values) => translate(read[of], of, key, values)]),
) as Record<Language, Translate>;

/** Loads the texts that a page needs; the page's route calls it while the page's code loads. */
export async function loadTexts(...files: TextFile[]): Promise<void> {
  await Promise.all(files.map((file) => load(language.get(), file)));
}

export async function startTexts(asked: string | null, ...files: TextFile[]): Promise<void> {
  if (asked) keepLanguage(firstLanguage(asked, undefined, []));
  begin(firstLanguage(asked, readCookie(cookie) ?? readTabValue(cookie), navigator.languages));
  await loadTexts(...files);
}

/** The cookie's language, else the browser's first, else Chinese. An address that names another language than ours means English. */
export function firstLanguage(asked: string | null, kept: string | undefined, browser: readonly string[]): Language {
  if (asked) return ours(asked) ?? "en";
  const known = ours(kept);
  if (known) return known;
  return browser[0]?.toLowerCase().startsWith("en") ? "en" : "zh";
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  // A refusal shown on the page came in the old language and is translated here again.
  await Promise.all([...inUse, "refusals" as const].map((file) => load(chosen, file)));
  keepLanguage(chosen);
  begin(chosen);
}

/** Keeps the language of the page for a year; until the user has answered the cookie question, for this tab only. */
export function keepLanguage(chosen = currentLanguage()): void {
  if (mayWriteCookies()) keepCookie(cookie, chosen);
  else writeTabValue(cookie, chosen);
}

const ours = (name: string | undefined): Language | undefined => languages.find((one) => one === name);

function begin(chosen: Language): void {
  language.set(chosen);
  document.documentElement.lang = languageTags[chosen];
  document.documentElement.dir = directionOf(chosen);
}

function load(of: Language, file: TextFile): Promise<void> {
  inUse.add(file);
  const key = `${of}/${file}`;
  const known = reading.get(key);
  if (known) return known;
  const bringing = bring(of, file);
  reading.set(key, bringing);
  bringing.then(
    // React reads a promise with a recorded outcome without suspending.
    () => Object.assign(bringing, { status: "fulfilled", value: undefined }),
    // A file that failed to load is fetched again the next time.
    () => reading.delete(key),
  );
  return bringing;
}

async function bring(of: Language, file: TextFile): Promise<void> {
  const loader = (await loadersOf(of))[`../../../../packages/texts/${of}/${file}.json`];
  const texts = loader ? await loader() : {};
  read[of] = { ...read[of], [file]: texts };
}

/** The loaders of the languages that few people read are not part of what the sign-in page loads. */
const loadersOf = async (of: Language): Promise<typeof loaders> =>
  offeredLanguages.some((one) => one === of) ? loaders : (await import("./other-languages.ts")).otherLanguages;
