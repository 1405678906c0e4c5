import type { Texts } from "./translate.ts";

/** The texts of the languages that the dialog does not offer. */
export const otherLanguageLoaders = import.meta.glob<Texts>("../../../../packages/texts/{tr,es,ar,ru}/*.json", {
  import: "default",
});
