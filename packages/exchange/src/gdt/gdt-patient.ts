import type { LaunchedPerson } from "@arcada/contract/patient/launch-address";
import { toNamedPerson } from "../practice-person.ts";
import type { GdtField } from "./gdt-record.ts";

/** A patient as a practice program hands them over. */
export interface GdtRequest {
  person: LaunchedPerson;
  /** The names of the programs, as the answer has to repeat them in reverse. */
  sender: string;
  receiver: string;
  /** Field 8402: the examination that was asked for. */
  examination: string;
}

/** The record types that say who the patient is: master data, and the request of an examination. */
const opening = ["6301", "6302"];

/** Returns the request of a record that opens a patient; null for another type, or without a number. */
export function findGdtRequest(fields: readonly GdtField[]): GdtRequest | null {
  // The first counts: GDT 3 repeats numbers within its objects.
  const value = (id: string): string => fields.find((one) => one.id === id)?.content ?? "";
  if (!opening.includes(value("8000"))) return null;
  const person = toNamedPerson({
    number: value("3000"),
    lastName: value("3101"),
    firstName: value("3102"),
    birthDate: value("3103").replace(/^(\d\d)(\d\d)(\d{4})$/, "$3$2$1"),
    sex: value("3110"),
  });
  return person && { person, sender: value("8316"), receiver: value("8315"), examination: value("8402") };
}

/** The result of an examination, which the practice program files with the patient. */
export const gdtResult = (input: {
  number: string;
  receiver: string;
  sender: string;
  /** Repeated from the request; empty without one. */
  examination: string;
  /** YYYY-MM-DD */
  date: string;
  finding: string;
  attachment: { name: string; kind: string; link: string } | null;
}): readonly GdtField[] => [
  { id: "8315", content: input.receiver },
  { id: "8316", content: input.sender },
  { id: "9218", content: "02.10" },
  { id: "3000", content: input.number },
  { id: "8402", content: input.examination || "ALLG00" },
  { id: "6200", content: input.date.split("-").toReversed().join("") },
  { id: "6220", content: input.finding },
  ...(input.attachment
    ? [
        { id: "6302", content: "000001" },
        { id: "6303", content: input.attachment.kind },
        { id: "6304", content: input.attachment.name },
        { id: "6305", content: input.attachment.link },
      ]
    : []),
];
