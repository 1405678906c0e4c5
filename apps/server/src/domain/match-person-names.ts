import { pinyin } from "pinyin-pro";

/**
 * True if a name in DICOM form (PS3.5 6.2: components between carets, groups between equals signs) is that of a record.
 */
export function isSameName(dicomName: string, recordName: string): boolean {
  const known = spellings(recordName);
  return splitGroups(dicomName).some((parts) => nameOrders(parts).some((spelling) => known.has(spelling)));
}

/** True for a name that contains no letter, or a word that replaces a removed name. */
export const isPlaceholderName = (dicomName: string): boolean =>
  splitGroups(dicomName).every((parts) =>
    /^(x*|anon.*|deident.*|unknown|noname|none|patient|匿名.*)$/.test(parts.join("")),
  );

/**
 * Returns the forms in which a record may hold such a name, in lower case and without accents like the patient search:
 * words in both orders.
 */
export function nameSearchForms(dicomName: string): string[] {
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

const splitGroups = (dicomName: string): string[][] =>
  dicomName.split("=").map((group) => group.split("^").map(foldName).filter(Boolean));

/** Keeps only letters and digits, without accents and case. */
const foldName = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Returns the orders of a name: family name first (DICOM) or last (Latin records), with and without prefix and suffix.
 */
const nameOrders = (parts: string[]): string[] => {
  const [family = "", given = ""] = parts;
  return [parts.join(""), family + given, given + family, parts.toSorted().join("|")].filter(Boolean);
};

/**
 * Returns the forms in which a device may hold a record's name: as it is, with its words in any order, or in pinyin.
 */
function spellings(name: string): Set<string> {
  const words = name
    .split(/[\s,，·]+/)
    .map(foldName)
    .filter(Boolean);
  const syllables = pinyin(name, { toneType: "none", type: "array", surname: "head", nonZh: "removed" }).map(foldName);
  const rotations =
    syllables.length > 1
      ? [syllables.slice(1).join("") + syllables[0], syllables.slice(2).join("") + syllables.slice(0, 2).join("")]
      : [];
  return new Set(
    [words.join(""), words.toReversed().join(""), words.toSorted().join("|"), syllables.join(""), ...rotations].filter(
      Boolean,
    ),
  );
}
