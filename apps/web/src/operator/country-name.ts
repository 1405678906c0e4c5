import { languageTags } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";

/** Returns the region's name in the reader's language, or the code itself if it is unknown. */
export function getCountryName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames([languageTags[language]], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
