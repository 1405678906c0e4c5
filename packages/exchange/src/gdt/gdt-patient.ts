import type { GdtField } from "./gdt-record.ts";

/** A person as a practice program hands them over. */
export interface GdtPatient {
  number: string;
  lastName: string;
  firstName: string;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  sex: "male" | "female" | "other" | null;
}

/** The record types that say who the patient is: master data, and the request of an examination. */
const opening = ["6301", "6302"];

/** Returns the patient of a record that opens one; null for another type, or without a number. */
export function findGdtPatient(fields: readonly GdtField[]): GdtPatient | null {
  const value = (id: string): string => fields.find((one) => one.id === id)?.content ?? "";
  if (!opening.includes(value("8000")) || value("3000") === "") return null;
  return {
    number: value("3000"),
    lastName: value("3101"),
    firstName: value("3102"),
    birthDate: readDay(value("3103")),
    sex: sexes[value("3110").toUpperCase()] ?? null,
  };
}

/** The result of an examination, which the practice program files with the patient. */
export const gdtResult = (input: {
  number: string;
  receiver: string;
  sender: string;
  /** YYYY-MM-DD */
  date: string;
  finding: string;
  attachment: { name: string; link: string } | null;
}): readonly GdtField[] => [
  { id: "8315", content: input.receiver },
  { id: "8316", content: input.sender },
  { id: "9218", content: "02.10" },
  { id: "3000", content: input.number },
  { id: "6200", content: input.date.split("-").toReversed().join("") },
  { id: "6220", content: input.finding },
  ...(input.attachment
    ? [
        { id: "6302", content: "000001" },
        { id: "6303", content: "PDF" },
        { id: "6304", content: input.attachment.name },
        { id: "6305", content: input.attachment.link },
      ]
    : []),
];

const sexes: Record<string, GdtPatient["sex"]> = {
  "1": "male",
  "2": "female",
  M: "male",
  W: "female",
  F: "female",
  D: "other",
  X: "other",
};

/** ddmmyyyy, or the ISO dates that some programs write; null for a day that does not exist. */
function readDay(text: string): string | null {
  const iso = /^\d{4}-\d\d-\d\d$/.test(text) ? text : text.replace(/^(\d\d)(\d\d)(\d{4})$/, "$3-$2-$1");
  const date = new Date(`${iso}T00:00:00Z`);
  return iso.length === 10 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}
