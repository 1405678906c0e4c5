import { pinyin } from "pinyin-pro";
import type { DicomHeader } from "@arcada/imaging/dicom/header";

export interface Named {
  name: string;
  birthDate: string | null;
}
type Identity = Pick<DicomHeader, "patientName" | "patientNameText" | "patientBirthDate">;

/** The first file that names another person, as it names them; null when none does. De-identified names are nobody's. */
export function mismatchOf(headers: readonly Identity[], patient: Named): Named | null {
  const other = headers.find((header) => namesAnother(header, patient));
  return other ? { name: other.patientNameText, birthDate: other.patientBirthDate } : null;
}

function namesAnother({ patientName, patientBirthDate }: Identity, patient: Named): boolean {
  const groups = patientName.split("=").map((group) => group.split("^").map(fold).filter(Boolean));
  if (groups.every((parts) => isNobody(parts.join("")))) return false;
  const known = spellings(patient.name);
  if (!groups.some((parts) => orders(parts).some((spelling) => known.has(spelling)))) return true;
  return patientBirthDate !== null && patient.birthDate !== null && patientBirthDate !== patient.birthDate;
}

/** Letters and digits alone, without accents and case. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const isNobody = (name: string): boolean => /^(x*|anon.*|deident.*|unknown|noname|none|patient|匿名.*)$/.test(name);

/** Family name first (DICOM) or last (Latin records), with and without prefix and suffix. */
const orders = (parts: string[]): string[] => {
  const [family = "", given = ""] = parts;
  return [parts.join(""), family + given, given + family, parts.toSorted().join("|")];
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
