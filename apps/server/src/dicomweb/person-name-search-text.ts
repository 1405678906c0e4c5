import { pinyin } from "pinyin-pro";
import { trimEndMatching } from "../platform/text/trim-characters.ts";

/** Lower case, full-width forms as plain ones, without accents: patients' names are folded in the same way. */
export const foldText = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** A person name's component groups as searches compare them, one a line, without the carets at their ends. */
export const toNameLines = (raw: string): string =>
  raw
    .split("=")
    .map((group) => trimEndMatching(foldText(group), /[\s^]/))
    .filter(Boolean)
    .join("\n");

/**
 * Returns the forms in which people may type a name: the words in both orders, and Chinese in pinyin and by its
 * initials.
 */
export function toNameSearchText(raw: string): string {
  const lines = raw.split("=").flatMap((group) => {
    const words = foldText(group)
      .split(/[\s^]+/)
      .filter(Boolean);
    const chinese = words.join("").replace(/[^\p{Script=Han}]/gu, "");
    const syllables = chinese === "" ? [] : pinyin(chinese, { toneType: "none", type: "array", surname: "head" });
    return [
      words.join(" "),
      words.join(""),
      words.toReversed().join(""),
      syllables.join(""),
      syllables.map((syllable) => syllable[0] ?? "").join(""),
    ];
  });
  return [...new Set(lines.filter(Boolean))].join("\n");
}
