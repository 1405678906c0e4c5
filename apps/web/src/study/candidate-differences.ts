import type { Candidate, InboxRow } from "@arcada/contract/study/inbox.calls";

type Difference = "number" | "name" | "birthDate" | "sex";

/**
 * In what a record differs from what the files say. The server decides about names and numbers, which have several forms;
 * a field in which either side is silent differs in nothing.
 */
export function differencesOf(person: InboxRow["person"], candidate: Candidate): Difference[] {
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
