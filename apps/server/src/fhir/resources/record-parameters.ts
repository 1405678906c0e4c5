import type { CodeableConcept, Coding } from "@medplum/fhirtypes";
import { refuse } from "../../platform/http/refuse.ts";
import type { RecordParameter, RecordResource } from "../resource-definition.ts";
import { fitsRange, parseDateRange } from "../search/date-range.ts";
import { parseToken, readReference } from "../search/search-parameters.ts";

/** The elements by which resources of a patient are searched; each type has some of them. */
interface SearchedElements {
  status?: string | undefined;
  code?: CodeableConcept | undefined;
  type?: CodeableConcept | undefined;
  category?: CodeableConcept[] | undefined;
  subject?: { reference?: string | undefined } | undefined;
  encounter?: { reference?: string | undefined } | undefined;
  meta?: { lastUpdated?: string | undefined } | undefined;
}
const elementsOf = (resource: RecordResource): SearchedElements => resource;

const matchesCoding = (codings: readonly Coding[], value: string): boolean => {
  const { system, code } = parseToken(value);
  return codings.some(
    (coding) => (system === null || (coding.system ?? "") === system) && (code === "" || coding.code === code),
  );
};

export const idMatch: RecordParameter = {
  type: "token",
  description: "The id of one resource",
  matches: (resource, value) => resource.id === value,
};
export const subjectMatch: RecordParameter = {
  type: "reference",
  description: "The patient, which a search has to name unless it names an id",
  matches: (resource, value) =>
    readReference(elementsOf(resource).subject?.reference ?? "", "Patient") === readReference(value, "Patient"),
};
export const encounterMatch: RecordParameter = {
  type: "reference",
  description: "The visit",
  matches: (resource, value) =>
    readReference(elementsOf(resource).encounter?.reference ?? "", "Encounter") === readReference(value, "Encounter"),
};
export const statusMatch: RecordParameter = {
  type: "token",
  description: "The status",
  matches: (resource, value) => elementsOf(resource).status === parseToken(value).code,
};
export const codeMatch: RecordParameter = {
  type: "token",
  description: "The code",
  matches: (resource, value) => matchesCoding(elementsOf(resource).code?.coding ?? [], value),
};
export const typeMatch: RecordParameter = {
  type: "token",
  description: "The kind of document",
  matches: (resource, value) => matchesCoding(elementsOf(resource).type?.coding ?? [], value),
};
export const categoryMatch: RecordParameter = {
  type: "token",
  description: "The category",
  matches: (resource, value) =>
    matchesCoding(
      (elementsOf(resource).category ?? []).flatMap(({ coding }) => coding ?? []),
      value,
    ),
};
/** The instant that a resource names in one of its elements. */
export const dateMatch = (
  description: string,
  instantOf: (resource: RecordResource) => string | undefined,
): RecordParameter => ({
  type: "date",
  description,
  matches: (resource, value, { timeZone }) => {
    const range = parseDateRange(value, timeZone) ?? refuse("badInput", { date: "dateShape" });
    const at = instantOf(resource);
    if (at === undefined) return false;
    const start = new Date(at).toISOString();
    return fitsRange({ start, end: new Date(Date.parse(at) + 1).toISOString() }, range);
  },
});
