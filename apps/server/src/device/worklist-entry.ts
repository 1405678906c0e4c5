import { pinyin } from "pinyin-pro";
import { formatTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { WorklistEntry } from "@arcada/contract/device/device.calls";
import { matchesWildcards } from "@arcada/contract/device/wildcard-matching";

/**
 * Converts a record's name into the form that a scanner accepts (PS3.5 6.2): family^given, in Latin letters and then as
 * it is written.
 */
export function toDicomName(recordName: string): string {
  const name = recordName.replaceAll(/[\^=\\\p{Cc}]/gu, " ").trim();
  const han = name.replaceAll(/[^\p{Script=Han}]/gu, "");
  const words = name
    .replaceAll(/[\p{Script=Han},，·]/gu, " ")
    .split(/\s+/)
    .filter(Boolean);
  if (han === "") return toLatinName(words);
  // Contains both spellings, so only the whole name matches a record that has both.
  if (words.length > 0) return `${toLatinName(words)}=${truncate(name)}`;
  const split = compoundFamilyNames.test(han) ? 2 : 1;
  const syllables = pinyin(han, { toneType: "none", type: "array", surname: "head" });
  const spelt = (part: string[]): string => capitalise(part.join(""));
  return `${joinName(spelt(syllables.slice(0, split)), spelt(syllables.slice(split)))}=${joinName(han.slice(0, split), han.slice(split))}`;
}

// Two-character family names that are in use today.
const compoundFamilyNames =
  /^(欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|司徒|令狐|夏侯|端木|南宫|司空|闻人|独孤|宇文|长孙|轩辕|百里|呼延|东郭|赫连|澹台|淳于|单于|太史|申屠|钟离|闾丘|濮阳|万俟)./;
const maxGroupLength = 64;
const truncate = (group: string): string => group.slice(0, maxGroupLength);
const joinName = (family: string, given: string): string => truncate(given === "" ? family : `${family}^${given}`);
const toLatinName = (words: string[]): string => joinName(words.at(-1) ?? "", words.slice(0, -1).join(" "));
const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * Returns true if a name matches a query (PS3.4 C.2.2.2.4): * and ? are wildcards, any component group may match, and
 * case is ignored.
 */
export function matchesName(dicom: string, query: string): boolean {
  const asked = query.trim().toLowerCase();
  if (/^\**$/.test(asked)) return true;
  // People who type at a scanner leave out the parts after the family name.
  const fits = (text: string): boolean => matchesWildcards(asked, text) || matchesWildcards(`${asked}^*`, text);
  const name = dicom.toLowerCase();
  return fits(name) || name.split("=").some(fits);
}

/** Returns text that every matching record contains, folded in the same way as patient names for search. */
export const toSearchText = (query: string): string =>
  (
    query
      .split("=")[0]!
      .split("^")[0]!
      .split(/[*?\s]/)
      .find((part) => part !== "") ?? ""
  )
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();

export interface WorklistRow {
  id: string;
  number: string;
  entry_number: string | null;
  name: string;
  sex: "male" | "female" | "other";
  birth_date: string | null;
  /** Local time of the zone, YYYYMMDDHHMMSS; null: requested for any time. */
  scheduled: string | null;
  recent: string;
  /** The request of another system that the pictures answer. */
  order_accession?: string | null;
  order_description?: string | null;
  order_teeth?: readonly number[] | null;
}

/** At most 64 characters (PS3.5: LO). */
const describeOrder = ({ order_description: text, order_teeth: teeth }: WorklistRow): string =>
  [(text ?? "").replaceAll(/[\\\p{Cc}]/gu, " "), teeth && teeth.length > 0 ? formatTeeth(teeth) : ""]
    .filter(Boolean)
    .join(" ")
    .slice(0, 64);

const sexCodes = { male: "M", female: "F", other: "O" } as const;
export const toWorklistEntry = (row: WorklistRow, today: string): WorklistEntry => {
  const date = row.scheduled?.slice(0, 8) ?? today;
  return {
    patientId: row.id,
    patientName: toDicomName(row.name),
    patientNumber: row.entry_number || row.number,
    birthDate: row.birth_date?.replaceAll("-", "") ?? "",
    sex: sexCodes[row.sex],
    // At most sixteen characters (PS3.5: SH), the same for a patient all day.
    accessionNumber: row.order_accession || `${date.slice(2)}${row.number.replaceAll(/\W/g, "").slice(-10)}`,
    scheduledDate: date,
    scheduledTime: row.scheduled?.slice(8) ?? "",
    procedureId: `P${date.slice(2)}${row.number.replaceAll(/\W/g, "").slice(-9)}`,
    description: describeOrder(row) || "Dental imaging",
  };
};
