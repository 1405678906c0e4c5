import type { DicomItem } from "../parse/dicom-item.ts";
import { tags, type Tag } from "../parse/tags.ts";

/** Finds the patient in texts that people have written. */
export interface IdentityMatcher {
  /** True where the text holds a part of the patient's names or one of their numbers. */
  matchesPatient: (text: string) => boolean;
  /** True if it names nobody: not the patient, no doctor, no institution, no number, no date, no address. */
  isClean: (text: string) => boolean;
}

/** Builds the tests for people's names and numbers, from the file's own header and from `known`. */
export function createIdentityMatcher(file: DicomItem, known: readonly string[]): IdentityMatcher {
  const read = (list: readonly Tag[]) => list.flatMap((tag) => file.texts(tag));
  const isPatient = createFinder([...read(patientTags), ...known], read(numberTags));
  const isOther = createFinder(read(otherTags), []);
  return {
    matchesPatient: isPatient,
    isClean: (text) => !isPatient(text) && !isOther(text) && !identifyingPattern.test(text),
  };
}

/** Long words are found inside of others too, short ones and numbers only as separate words: Mary is not in PRIMARY. */
function createFinder(names: readonly string[], numbers: readonly string[]): (text: string) => boolean {
  const words = names.flatMap(splitName);
  const inside = words.filter((word) => !isLatin(word) || word.length >= minLatinSubstring);
  const alone = new Set([...words, ...numbers.map(foldText).filter((number) => number.length >= 3)]);
  return (text) => {
    const plain = foldText(text);
    return inside.some((word) => plain.includes(word)) || splitWords(plain).some((part) => alone.has(part));
  };
}

const patientTags: readonly Tag[] = [tags.patientName, "x00101001", "x00101005", "x00101060", "x00102297"];
const numberTags: readonly Tag[] = [tags.patientId, "x00101000", "x00080050", "x00101090"];
const otherTags: readonly Tag[] = [
  "x00080090",
  "x00081048",
  "x00081050",
  "x00081060",
  "x00081070",
  "x00321032",
  tags.institutionName,
  "x00080081",
  "x00101040",
];

/** A long number, a day, an address of the net. */
const identifyingPattern = /\d{6,}|\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}|@/;

/** The words of a name in each way of writing it; of one in characters also the whole, for each may be a single one. */
const splitName = (name: string): string[] =>
  foldText(name)
    .split("=")
    .flatMap((written) => [...splitWords(written), ...(isLatin(written) ? [] : [written.replace(/[\s^]+/g, "")])])
    // Two Latin letters occur in half of all words; two Chinese characters are a name.
    .filter((word) => word.length >= (isLatin(word) ? 3 : 2));
const splitWords = (text: string): string[] => [text, ...text.split(/[\s^=,;:._/\\()[\]-]+/)];
const minLatinSubstring = 5;
const isLatin = (word: string): boolean => /^[\u0000-\u024f]*$/.test(word);

const foldText = (text: string): string => text.normalize("NFKC").toLowerCase().trim();
