import type { Selectable } from "kysely";
import type { Composition, Condition, Encounter, Patient, Practitioner, Reference } from "@medplum/fhirtypes";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { visitParts } from "@arcada/contract/visit/visit.calls";
import type { VisitTable } from "../../tables/schema.generated.ts";
import { hl7Terminology, toCodeableConcept } from "./fhir-datatypes.ts";
import type { FhirLinks } from "./fhir-datatypes.ts";

type Visit = Selectable<VisitTable>;
interface VisitReferences {
  subject: Reference<Patient>;
  dentist: Reference<Practitioner>;
  links: FhirLinks;
}

export const diagnosisPart = "diagnosis";

export function toEncounter(visit: Visit, { subject, dentist, links }: VisitReferences): Encounter {
  const { id, at, content } = visit;
  return {
    resourceType: "Encounter",
    id,
    status: visit.deleted_at === null ? "finished" : "entered-in-error",
    class: { system: `${hl7Terminology}/v3-ActCode`, code: "AMB" },
    subject,
    participant: [{ individual: dentist }],
    period: { start: at },
    ...(content.complaint && { reasonCode: [{ text: content.complaint }] }),
    ...(content.diagnosis && {
      diagnosis: [{ condition: links.refer<Condition>("Condition", links.partId(id, diagnosisPart)) }],
    }),
  };
}

/** Returns the diagnosis of a visit, if one was written down. */
export function toVisitCondition(visit: Visit, { subject, links }: VisitReferences): Condition | null {
  const { id, at, content } = visit;
  if (!content.diagnosis) return null;
  return {
    resourceType: "Condition",
    id: links.partId(id, diagnosisPart),
    clinicalStatus: toCodeableConcept(`${hl7Terminology}/condition-clinical`, "active"),
    verificationStatus: toCodeableConcept(`${hl7Terminology}/condition-ver-status`, "confirmed"),
    category: [toCodeableConcept(`${hl7Terminology}/condition-category`, "encounter-diagnosis")],
    code: { text: content.diagnosis },
    subject,
    encounter: links.refer<Encounter>("Encounter", id),
    recordedDate: at,
  };
}

/** The notes of a visit. */
export function toComposition(visit: Visit, { subject, dentist, links }: VisitReferences, zone: string): Composition {
  const { id, at, content } = visit;
  const marks = content.marks.map(({ fdi, remark }) => `${fdi}: ${remark}`).join("\n");
  const parts = [...visitParts.map((part) => [part, content[part]] as const), ["teeth", marks] as const];
  return {
    resourceType: "Composition",
    id: links.partId(id, "note"),
    status: visit.deleted_at === null ? "final" : "entered-in-error",
    type: toCodeableConcept("http://loinc.org", "11506-3", "Progress note"),
    subject,
    encounter: links.refer<Encounter>("Encounter", id),
    date: at,
    author: [dentist],
    title: `Visit ${localDayIn(zone, at)}`,
    section: parts
      .filter(([, text]) => text !== "")
      .map(([title, text]) => ({ title, text: { status: "generated" as const, div: toNarrative(text) } })),
  };
}
const toNarrative = (text: string): string =>
  `<div xmlns="http://www.w3.org/1999/xhtml">${text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br/>")}</div>`;
