import type { Candidate, InboxRow } from "@arcada/contract/study/inbox.calls";

type Difference = "number" | "name" | "birthDate" | "sex";

/**
 * Returns the fields in which a record differs from the data in the files. The server compares names and numbers, which
 * have several forms. A field that is empty on either side does not differ.
 */
export function findDifferences(person: InboxRow["person"], candidate: Candidate): Difference[] {
  if (!person) return [];
  const { agrees, birthDate, sex } = candidate;
  const differs: Record<Difference, boolean> = {
    number: person.number.trim() !== "" && !agrees.includes("number"),
    name: person.name.trim() !== "" && !agrees.includes("name"),
    birthDate: person.birthDate !== null && birthDate !== null && !agrees.includes("birthDate"),
    sex: person.sex !== null && person.sex !== sex,
  };
  return (["number", "name", "birthDate", "sex"] as const).filter((field) => differs[field]);
}
