/** Every language with a complete set of texts; the dialog offers two of them. */
export const languages = ["zh", "en", "tr", "es", "ar", "ru"] as const;
export type Language = (typeof languages)[number];
export const offeredLanguages = ["zh", "en"] as const satisfies readonly Language[];
/** Written from right to left. */
export const rightToLeft: readonly Language[] = ["ar"];
/** As BCP 47 names them, for `lang` and for dates and numbers. */
export const languageTags: Record<Language, string> = {
  zh: "zh-CN",
  en: "en",
  tr: "tr",
  es: "es",
  ar: "ar",
  ru: "ru",
};
