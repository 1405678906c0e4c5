import { languageTags } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";

/** As the reader's language calls it; the code itself where it is no region's. */
export function countryName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames([languageTags[language]], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
