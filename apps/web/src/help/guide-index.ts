import type { Language } from "../i18n/texts.ts";
import type { GuideContent, GuideIndexEntry } from "./guide-content.ts";
import type { GuidePageName } from "@arcada/contract/help/user-guide";

/** The guide is written in Chinese and English; readers of another language get the English one. */
export type GuideLanguage = "zh" | "en";
export const getGuideLanguage = (language: Language): GuideLanguage => (language === "zh" ? "zh" : "en");

type GuidePages = Record<GuidePageName, GuideContent>;
const pageLoaders: Record<GuideLanguage, () => Promise<{ pages: GuidePages }>> = {
  zh: () => import("virtual:user-guide/zh"),
  en: () => import("virtual:user-guide/en"),
};
const indexLoaders: Record<GuideLanguage, () => Promise<{ entries: readonly GuideIndexEntry[] }>> = {
  zh: () => import("virtual:user-guide-index/zh"),
  en: () => import("virtual:user-guide-index/en"),
};

/** The pages of the guide in the reader's language. The promise is the same at every call, as `use` needs it. */
export const loadGuidePages = keepPromises(async (language) => (await pageLoaders[language]()).pages);
/** The titles of the guide in the reader's language. The promise is the same at every call, as `use` needs it. */
export const loadGuideIndex = keepPromises(async (language) => (await indexLoaders[language]()).entries);

function keepPromises<T>(load: (language: GuideLanguage) => Promise<T>): (language: Language) => Promise<T> {
  const kept = new Map<GuideLanguage, Promise<T>>();
  return (language) => {
    const guideLanguage = getGuideLanguage(language);
    const known = kept.get(guideLanguage);
    if (known) return known;
    const promise = load(guideLanguage);
    kept.set(guideLanguage, promise);
    // The next call tries again after a failure.
    promise.catch(() => kept.delete(guideLanguage));
    return promise;
  };
}
