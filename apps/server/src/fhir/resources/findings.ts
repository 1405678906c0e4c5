import type { Condition, Observation, Patient, Practitioner } from "@medplum/fhirtypes";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { hl7Terminology, serverLinks, toCodeableConcept } from "../../domain/fhir/fhir-datatypes.ts";
import { toChartResources, toEngineObservation } from "../../domain/fhir/tooth-resources.ts";
import { toVisitCondition } from "../../domain/fhir/visit-resources.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { RecordDefinition } from "../resource-definition.ts";
import { isUuid } from "../search/search-parameters.ts";
import { findLivingPatient } from "./read-names.ts";
import { patientInclusion } from "./inclusions.ts";
import {
  categoryMatch,
  codeMatch,
  dateMatch,
  encounterMatch,
  idMatch,
  statusMatch,
  subjectMatch,
} from "./record-parameters.ts";

const access = { roles: clinicRoles, scopes: ["records.read"] } as const;
const audit = { search: "chart.read", read: "chart.read" };
const subject = patientInclusion((resource) =>
  resource.resourceType === "Observation" || resource.resourceType === "Condition" ? resource.subject : undefined,
);
const newestFirst = <T>(resources: T[], instantOf: (one: T) => string | undefined): T[] =>
  resources.toSorted((one, other) => (instantOf(other) ?? "").localeCompare(instantOf(one) ?? ""));

export const observationDefinition: RecordDefinition = {
  kind: "record",
  type: "Observation",
  description: "The presence of a tooth, a finding in the tooth chart, or a measurement by an analysis",
  access,
  audit,
  parameters: {
    _id: idMatch,
    patient: subjectMatch,
    subject: subjectMatch,
    code: codeMatch,
    category: categoryMatch,
    status: statusMatch,
    date: dateMatch("The time of the finding", (resource) =>
      resource.resourceType === "Observation" ? resource.effectiveDateTime : undefined,
    ),
  },
  includes: { patient: subject, subject },
  isVersioned: false,
  findPatient: async (context, id) => partOwner(id) ?? (await findPatientOfObservation(context, id)),
  loadOfPatient: async (context, patientId) => {
    const chart = await loadChartResources(context, patientId);
    const observations = [
      ...chart.filter((one): one is Observation => one.resourceType === "Observation"),
      ...(await loadEngineObservations(context, patientId)),
    ].map((one): Observation => ({ category: [examCategory], ...one }));
    return newestFirst(observations, (one) => one.effectiveDateTime);
  },
};
const examCategory = toCodeableConcept(`${hl7Terminology}/observation-category`, "exam");

export const conditionDefinition: RecordDefinition = {
  kind: "record",
  type: "Condition",
  description: "A suspected disease in the tooth chart, or the diagnosis of a visit",
  access,
  audit,
  parameters: {
    _id: idMatch,
    patient: subjectMatch,
    subject: subjectMatch,
    code: codeMatch,
    category: categoryMatch,
    encounter: encounterMatch,
    "recorded-date": dateMatch("The time of the record", (resource) =>
      resource.resourceType === "Condition" ? resource.recordedDate : undefined,
    ),
  },
  includes: { patient: subject, subject },
  isVersioned: false,
  findPatient: async (context, id) => (await findPatientOfDiagnosis(context, id)) ?? partOwner(id),
  loadOfPatient: async (context, patientId) => {
    const chart = await loadChartResources(context, patientId);
    const conditions = [
      ...chart.filter((one): one is Condition => one.resourceType === "Condition"),
      ...(await loadDiagnoses(context, patientId)),
    ];
    return newestFirst(conditions, (one) => one.recordedDate);
  },
};

/** Returns the record with whose id the id of a part begins; null for a whole record. */
function partOwner(id: string): string | null {
  const owner = id.slice(0, 36);
  return id[36] === "." && isUuid(owner) ? owner : null;
}

async function findPatientOfObservation({ db, iid }: FhirContext, id: string): Promise<string | null> {
  if (!isUuid(id)) return null;
  const row = await db
    .selectFrom("observation as o")
    .innerJoin("analysis as a", (join) =>
      join.onRef("a.institution_id", "=", "o.institution_id").onRef("a.id", "=", "o.analysis_id"),
    )
    .innerJoin("study as s", (join) =>
      join.onRef("s.institution_id", "=", "a.institution_id").onRef("s.id", "=", "a.study_id"),
    )
    .select("s.patient_id")
    .where("o.institution_id", "=", iid)
    .where("o.id", "=", id)
    .executeTakeFirst();
  return row?.patient_id ?? null;
}

async function findPatientOfDiagnosis({ db, iid }: FhirContext, id: string): Promise<string | null> {
  const visitId = id.endsWith(".diagnosis") ? partOwner(id) : null;
  if (visitId === null) return null;
  const row = await db
    .selectFrom("visit")
    .select("patient_id")
    .where("institution_id", "=", iid)
    .where("id", "=", visitId)
    .executeTakeFirst();
  return row?.patient_id ?? null;
}

async function loadChartResources(context: FhirContext, patientId: string): Promise<(Observation | Condition)[]> {
  const { db, iid } = context;
  const patient = await findLivingPatient(context, patientId);
  const chart = await db
    .selectFrom("tooth_chart")
    .select(["content", "at"])
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!patient || !chart) return [];
  return toChartResources(chart, {
    patientId,
    subject: serverLinks.refer<Patient>("Patient", patientId, patient.name),
    links: serverLinks,
  });
}

async function loadEngineObservations(context: FhirContext, patientId: string): Promise<Observation[]> {
  const { db, iid } = context;
  const patient = await findLivingPatient(context, patientId);
  if (!patient) return [];
  const analyses = await db
    .selectFrom("analysis as a")
    .innerJoin("study as s", (join) =>
      join.onRef("s.institution_id", "=", "a.institution_id").onRef("s.id", "=", "a.study_id"),
    )
    .select(["a.id", "a.created_at", "a.engine_id", "a.engine_version", "a.study_id"])
    .where("a.institution_id", "=", iid)
    .where("s.patient_id", "=", patientId)
    .where("s.deleted_at", "is", null)
    .where("a.state", "=", "done")
    .execute();
  if (analyses.length === 0) return [];
  const byId = new Map(analyses.map((one) => [one.id, one]));
  const rows = await db
    .selectFrom("observation")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("analysis_id", "in", [...byId.keys()])
    .orderBy("analysis_id")
    .orderBy("place")
    .execute();
  const owner = { subject: serverLinks.refer<Patient>("Patient", patientId, patient.name), links: serverLinks };
  return rows.flatMap((row) => {
    const analysis = byId.get(row.analysis_id);
    return analysis ? [toEngineObservation(row, analysis, owner)] : [];
  });
}

async function loadDiagnoses(context: FhirContext, patientId: string): Promise<Condition[]> {
  const { db, iid } = context;
  const patient = await findLivingPatient(context, patientId);
  if (!patient) return [];
  const visits = await db
    .selectFrom("visit")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .where("deleted_at", "is", null)
    .execute();
  const reference = serverLinks.refer<Patient>("Patient", patientId, patient.name);
  return visits.flatMap((visit) => {
    const dentist = serverLinks.refer<Practitioner>("Practitioner", visit.dentist_id);
    return toVisitCondition(visit, { subject: reference, dentist, links: serverLinks }) ?? [];
  });
}
