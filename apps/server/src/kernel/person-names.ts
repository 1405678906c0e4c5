import { pinyin } from "pinyin-pro";

/** Whether a name as DICOM writes it (PS3.5 6.2: components between carets, groups between equals signs) is a record's. */
export function isSameName(dicomName: string, recordName: string): boolean {
  const known = spellings(recordName);
  return groupsOf(dicomName).some((parts) => orders(parts).some((spelling) => known.has(spelling)));
}

/** Without any letter, or a word that stands where a name was taken out. */
export const isNobody = (dicomName: string): boolean =>
  groupsOf(dicomName).every((parts) =>
    /^(x*|anon.*|deident.*|unknown|noname|none|patient|匿名.*)$/.test(parts.join("")),
  );

/** What a record may hold for such a name, in the letters in which patients are searched: words in both orders. */
export function searchForms(dicomName: string): string[] {
  const forms = dicomName.split("=").flatMap((group) => {
    const words = group
      .split("^")
      .flatMap((part) => part.split(/\s+/))
      .map((word) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase())
      .filter(Boolean);
    return [words.join(" "), words.toReversed().join(" "), words.join(""), words.toReversed().join("")];
  });
  return [...new Set(forms.filter(Boolean))];
}

const groupsOf = (dicomName: string): string[][] =>
  dicomName.split("=").map((group) => group.split("^").map(fold).filter(Boolean));

/** Letters and digits alone, without accents and case. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Family name first (DICOM) or last (Latin records), with and without prefix and suffix. */
const orders = (parts: string[]): string[] => {
  const [family = "", given = ""] = parts;
  return [parts.join(""), family + given, given + family, parts.toSorted().join("|")].filter(Boolean);
};

/** How a record's name may stand in a device: as it is, with its words in any order, or in pinyin. */
function spellings(name: string): Set<string> {
  const words = name
    .split(/[\s,，·]+/)
    .map(fold)
    .filter(Boolean);
  const syllables = pinyin(name, { toneType: "none", type: "array", surname: "head", nonZh: "removed" }).map(fold);
  const turned =
    syllables.length > 1
      ? [syllables.slice(1).join("") + syllables[0], syllables.slice(2).join("") + syllables.slice(0, 2).join("")]
      : [];
  return new Set(
    [words.join(""), words.toReversed().join(""), words.toSorted().join("|"), syllables.join(""), ...turned].filter(
      Boolean,
    ),
  );
}
