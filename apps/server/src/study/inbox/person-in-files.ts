import type { Candidate, InboxRow } from "@arcada/contract/study/inbox.calls";
import type * as matching from "../../domain/patient-matching.ts";
import type { InboxRecord } from "./inbox.store.ts";
import { isNameGuessed } from "../study.view.ts";

/** Returns the person whom a study's files name, as they write it; null if they name nobody. */
export const personInFiles = (row: InboxRecord): matching.NamedPerson | null =>
  row.person_name === null
    ? null
    : { name: row.person_name, number: row.person_number ?? "", birthDate: row.person_birth };

/** The same for people. */
export function toInboxPerson(row: InboxRecord): InboxRow["person"] {
  const files = personInFiles(row);
  return (
    files && {
      name: row.person_text ?? files.name,
      guessed: isNameGuessed(row),
      number: files.number,
      birthDate: files.birthDate,
      sex: sexByCode[row.person_sex?.trim().toUpperCase() ?? ""] ?? null,
    }
  );
}

/** PS3.3 C.7.1.1: Patient's Sex. */
const sexByCode: Record<string, "male" | "female" | "other"> = { M: "male", F: "female", O: "other" };

export const toCandidate = ({ id, number, name, sex, birthDate, agrees }: matching.Candidate): Candidate => ({
  id,
  number,
  name,
  sex,
  birthDate,
  agrees,
});
