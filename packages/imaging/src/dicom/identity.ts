import type { DicomItem } from "./item.ts";
import { tags, type Tag } from "./tags.ts";

/** Finds the patient in texts that people have written. */
export interface Identity {
  /** True where the text holds a part of the patient's names or one of their numbers. */
  isIn: (text: string) => boolean;
  /** True where it names nobody: not the patient, no doctor, no house, no number, no day, no address. */
  isClean: (text: string) => boolean;
}

/** What the file's own head says of the people in it, and what its reader knows beside that. */
export function identityIn(file: DicomItem, known: readonly string[]): Identity {
  const read = (list: readonly Tag[]) => list.flatMap((tag) => file.texts(tag));
  const patient = [...wordsOf([...read(patientTags), ...known]), ...numbersOf(read(numberTags))];
  const others = wordsOf(read(otherTags));
  const holds = (words: readonly string[]) => (text: string) => {
    const plain = folded(text);
    return words.some((word) => plain.includes(word));
  };
  const isIn = holds(patient);
  const namesOthers = holds(others);
  return { isIn, isClean: (text) => !isIn(text) && !namesOthers(text) && !telling.test(text) };
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
const telling = /\d{6,}|\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}|@/;

const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    folded(text)
      .split(/[\s^=,;._/()-]+/)
      // Two letters of Latin stand in half of all words; two characters of Chinese are a name.
      .filter((word) => word.length >= (/^[\u0000-\u024f]*$/.test(word) ? 3 : 2)),
  );
const numbersOf = (texts: readonly string[]): string[] => texts.map(folded).filter((text) => text.length >= 3);

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().trim();
