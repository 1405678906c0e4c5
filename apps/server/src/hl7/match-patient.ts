import type { Hl7Person } from "@arcada/contract/hl7/hl7-intent";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Reason } from "@arcada/contract/hl7/hl7.rules";
import { isSameName, nameSearchForms } from "../domain/match-person-names.ts";
import {
  findAgreement,
  findCertainMatch,
  findSimilarPatients,
  type NamedPerson,
  type Person,
} from "../domain/patient-matching.ts";
import type { Db } from "../platform/database/database.ts";

/** The record of a message's person; `new`: there is none yet; a reason: a person must decide. */
export type PatientMatch =
  | { kind: "record"; id: string }
  | { kind: "new" }
  | { kind: "waits"; reason: Hl7Reason; patientId: string | null };

/** Returns the records that have this number of the other system. */
export const findByNumber = (db: Db, iid: string, number: string): Promise<Person[]> =>
  db
    .selectFrom("patient")
    .select(["id", "number", "entry_number as entryNumber", "name", "sex", "birth_date as birthDate"])
    .where("institution_id", "=", iid)
    .where("entry_number", "=", number)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(5)
    .execute();

export const toNamedPerson = ({ number, name, birthDate }: Hl7Person): NamedPerson => ({
  number,
  name,
  birthDate: birthDate ?? null,
});

/**
 * Finds the record of a person. The number of the other system decides, unless the rest names somebody else; without it
 * only the full name with the birth date does, and only for a record that has no such number. The caller holds the lock
 * of the clinic's patients.
 */
export async function matchPatient(
  db: Db,
  iid: string,
  person: Hl7Person,
  { createsPatients }: Hl7Connection,
): Promise<PatientMatch> {
  const holders = await findByNumber(db, iid, person.number);
  if (holders.length > 1) return { kind: "waits", reason: "severalHaveNumber", patientId: null };
  const [holder] = holders;
  if (holder)
    return namesAnotherPerson(person, holder)
      ? { kind: "waits", reason: "otherIdentity", patientId: holder.id }
      : { kind: "record", id: holder.id };
  const similar = await findSimilarPatients(db, toNamedPerson(person));
  const match = findCertainMatch(toNamedPerson(person), similar);
  if (match && !match.person.entryNumber) return { kind: "record", id: match.person.id };
  if (similar.some((one) => maySamePerson(person, one)))
    return { kind: "waits", reason: "maybeKnown", patientId: null };
  if (person.birthDate === undefined || person.name === "")
    return { kind: "waits", reason: "birthDateMissing", patientId: null };
  return createsPatients ? { kind: "new" } : { kind: "waits", reason: "creationOff", patientId: null };
}

/**
 * True if the message must not change the record without a person's look: another birth date, or another name that does
 * not share a part with the record's while the birth date is the same.
 */
export function namesAnotherPerson({ name, birthDate }: Hl7Person, record: Person): boolean {
  const known = record.birthDate;
  if (birthDate !== undefined && known !== null && birthDate !== known) return true;
  if (name === "" || isSameName(name, record.name)) return false;
  const isBornTheSameDay = birthDate !== undefined && birthDate === known;
  return !(isBornTheSameDay && sharesPart(name, record.name));
}

/** True if one part of the name is one of the record's: a person who married keeps the given name. */
function sharesPart(name: string, recordName: string): boolean {
  const fold = (text: string): string =>
    text
      .normalize("NFKD")
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .toLowerCase();
  const own = new Set(recordName.split(/[\s,，·]+/).map(fold));
  const isPart = (part: string): boolean => {
    const folded = fold(part);
    return (
      folded.length > 1 && (own.has(folded) || (/\p{Script=Han}/u.test(folded) && fold(recordName).endsWith(folded)))
    );
  };
  return name.split(/[\^=\s]+/).some(isPart) && nameSearchForms(name).length > 0;
}

/** Namesakes with different birth dates are different people. */
function maySamePerson(person: Hl7Person, record: Person): boolean {
  const agrees = findAgreement(toNamedPerson(person), record);
  const bothBorn = person.birthDate !== undefined && record.birthDate !== null;
  return agrees.includes("number") || (agrees.includes("name") && (agrees.includes("birthDate") || !bothBorn));
}
