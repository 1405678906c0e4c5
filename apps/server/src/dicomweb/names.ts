import { pinyin } from "pinyin-pro";

/** Lower case, full-width forms as plain ones, accents dropped: as patients' names are folded. */
export const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** A person name's component groups as searches compare them, one a line, without the carets at their ends. */
export const nameLines = (raw: string): string =>
  raw
    .split("=")
    .map((group) => fold(group).replace(/[\s^]+$/, ""))
    .filter(Boolean)
    .join("\n");

/** What people may type for it: the words in both orders, and Chinese in pinyin and by its initials. */
export function nameHaystack(raw: string): string {
  const lines = raw.split("=").flatMap((group) => {
    const words = fold(group)
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

/** How a record's name may stand in a device, and how a device's may be read: equal ones share a spelling. */
export function spellings(name: string): Set<string> {
  const found = name.split("=").flatMap((group) => {
    const words = group
      .split(/[\s,，·^]+/)
      .map((word) => fold(word).replace(/[^\p{L}\p{N}]/gu, ""))
      .filter(Boolean);
    return [words.join(""), words.toReversed().join(""), words.toSorted().join("|"), ...inPinyin(group)];
  });
  return new Set(found.filter(Boolean));
}

/** Family name first, or last as Latin records have it; a family name may have two syllables. */
function inPinyin(name: string): string[] {
  const chinese = name.replace(/[^\p{Script=Han}]/gu, "");
  if (chinese.length < 2) return [];
  const all: string[] = pinyin(chinese, { toneType: "none", type: "array", surname: "head" }).map(fold);
  const turned = [1, 2].map((family) => [...all.slice(family), ...all.slice(0, family)].join(""));
  return [all.join(""), ...turned];
}
