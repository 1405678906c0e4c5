import { formatPersonName } from "@arcada/imaging/dicom/parse/format-values";
import { senderPerson } from "@arcada/contract/study/inbox.calls";
import type { Identity } from "./patient-identity.ts";

/** Names the person of the sender's program in the studies whose files name nobody. */
export function nameSenderPerson<S extends { people: Identity[] }>(studies: readonly S[], stored: unknown): S[] {
  const { data: person } = senderPerson.nullable().safeParse(stored);
  // A number alone proves nothing: scanners count their patients from 1, too.
  if (!person || person.name === "") return [...studies];
  const identity: Identity = {
    name: person.name,
    nameText: formatPersonName(person.name),
    number: person.number,
    birthDate: person.birthDate,
    sex: person.sex === "male" ? "M" : person.sex === "female" ? "F" : "",
  };
  return studies.map((study) => (study.people.length === 0 ? { ...study, people: [identity] } : study));
}
