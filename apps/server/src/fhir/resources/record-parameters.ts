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

const codingMatcher = (value: string): ((codings: readonly Coding[]) => boolean) => {
  const { system, code } = parseToken(value);
  return (codings) =>
    codings.some(
      (coding) => (system === null || (coding.system ?? "") === system) && (code === "" || coding.code === code),
    );
};

export const idMatch: RecordParameter = {
  type: "token",
  description: "The id of one resource",
  matcher: (value) => (resource) => resource.id === value,
};
export const subjectMatch: RecordParameter = {
  type: "reference",
  description: "The patient, which a search has to name unless it names an id",
  matcher: (value) => {
    const id = readReference(value, "Patient");
    return (resource) => readReference(elementsOf(resource).subject?.reference ?? "", "Patient") === id;
  },
};
export const encounterMatch: RecordParameter = {
  type: "reference",
  description: "The visit",
  matcher: (value) => {
    const id = readReference(value, "Encounter");
    return (resource) => readReference(elementsOf(resource).encounter?.reference ?? "", "Encounter") === id;
  },
};
export const statusMatch: RecordParameter = {
  type: "token",
  description: "The status",
  matcher: (value) => {
    const { code } = parseToken(value);
    return (resource) => elementsOf(resource).status === code;
  },
};
export const codeMatch: RecordParameter = {
  type: "token",
  description: "The code",
  matcher: (value) => {
    const matches = codingMatcher(value);
    return (resource) => matches(elementsOf(resource).code?.coding ?? []);
  },
};
export const typeMatch: RecordParameter = {
  type: "token",
  description: "The kind of document",
  matcher: (value) => {
    const matches = codingMatcher(value);
    return (resource) => matches(elementsOf(resource).type?.coding ?? []);
  },
};
export const categoryMatch: RecordParameter = {
  type: "token",
  description: "The category",
  matcher: (value) => {
    const matches = codingMatcher(value);
    return (resource) => matches((elementsOf(resource).category ?? []).flatMap(({ coding }) => coding ?? []));
  },
};
/** The instant that a resource names in one of its elements. */
export const dateMatch = (
  description: string,
  instantOf: (resource: RecordResource) => string | undefined,
): RecordParameter => ({
  type: "date",
  description,
  matcher: (value, { timeZone }) => {
    const range = parseDateRange(value, timeZone) ?? refuse("badInput", { date: "dateShape" });
    return (resource) => {
      const at = instantOf(resource);
      if (at === undefined) return false;
      const start = new Date(at).toISOString();
      return fitsRange({ start, end: new Date(Date.parse(at) + 1).toISOString() }, range);
    };
  },
});
