import { sql } from "kysely";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import type { Endpoint, Patient } from "@medplum/fhirtypes";
import { hl7Terminology, serverLinks, systems } from "../../domain/fhir/fhir-datatypes.ts";
import { toImagingStudy } from "../../domain/fhir/imaging-study-resource.ts";
import { fhirRoot } from "../fhir-context.ts";
import type { TableDefinition } from "../resource-definition.ts";
import {
  codeParameter,
  dateParameter,
  idParameter,
  referenceParameter,
  splitValues,
  tokenParameter,
} from "../search/search-parameters.ts";
import type { SearchParameter } from "../search/search-parameters.ts";
import { chainedPatientParameters } from "./patient.ts";
import { patientInclusion } from "./inclusions.ts";

const uidParameter = tokenParameter("The Study Instance UID", [{ system: systems.dicomUid, column: sql`r.uid` }]);
const patientParameter = referenceParameter("The patient", "Patient", sql`r.patient_id`);
const subject = patientInclusion((resource) =>
  resource.resourceType === "ImagingStudy" ? resource.subject : undefined,
);
const identifier: SearchParameter = {
  ...uidParameter,
  // The value of the identifier is a URI (http://hl7.org/fhir/R4/imagingstudy.html#notes); programs also send the UID.
  where: (value, reader, modifier) =>
    uidParameter.where(
      splitValues(value)
        .map((one) => one.replace("urn:oid:", ""))
        .join(","),
      reader,
      modifier,
    ),
};

/** The images and scans of patients. Those in the inbox belong to nobody yet, and are not found. */
export const imagingStudyDefinition: TableDefinition = {
  kind: "table",
  type: "ImagingStudy",
  description: "Images or scans of a patient, with the address of DICOMweb",
  access: { roles: clinicRoles, scopes: ["studies.read", "dicomweb.read"] },
  audit: { search: "study.list", read: "study.read" },
  from: sql`study r join patient_living p on p.id = r.patient_id`,
  visible: ({ iid }) => sql`r.institution_id = ${iid} and p.institution_id = ${iid} and r.deleted_at is null`,
  ofPatient: (patientId) => sql`r.patient_id = ${patientId}`,
  parameters: {
    _id: idParameter(sql`r.id`),
    _lastUpdated: dateParameter("The time of arrival", sql`r.created_at`),
    patient: patientParameter,
    subject: patientParameter,
    ...chainedPatientParameters(sql`r.patient_id`),
    started: dateParameter("The day of the images, by the device's clock", sql`r.taken_at`, "local"),
    identifier,
    modality: tokenParameter("The modality", [{ system: systems.dicomModality, column: sql`r.modality` }]),
    status: codeParameter("registered or available", "http://hl7.org/fhir/imagingstudy-status", (code) => {
      if (code === "registered") return sql`r.state = 'converting'`;
      return code === "available" ? sql`r.state <> 'converting'` : null;
    }),
  },
  sorts: {
    _lastUpdated: { column: sql`r.created_at`, type: "instant" },
    started: { column: sql`coalesce(r.taken_at, '0001-01-01'::timestamp)`, type: "local" },
  },
  usualSort: "-_lastUpdated",
  includes: { patient: subject, subject },
  isVersioned: false,
  load: async ({ db, iid, base }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("study as s")
      .innerJoin("patient as p", (join) =>
        join.onRef("p.institution_id", "=", "s.institution_id").onRef("p.id", "=", "s.patient_id"),
      )
      .select(["s.id", "s.uid", "s.taken_at", "s.modality", "s.description", "s.count", "s.deleted_at", "s.state"])
      .select(["s.created_at", "p.id as patient_id", "p.name as patient_name"])
      .where("s.institution_id", "=", iid)
      .where("s.id", "in", [...ids])
      .execute();
    const series = await db
      .selectFrom("series")
      .select(["study_id", "uid", "modality", "description"])
      .where("institution_id", "=", iid)
      .where("study_id", "in", [...ids])
      .orderBy("place")
      .execute();
    return rows.map((row) => ({
      ...toImagingStudy(
        row,
        series.filter(({ study_id }) => study_id === row.id),
        serverLinks.refer<Patient>("Patient", row.patient_id, row.patient_name),
      ),
      ...(row.state === "converting" && { status: "registered" as const }),
      meta: { lastUpdated: row.created_at },
      ...(row.uid !== null && {
        contained: [dicomwebEndpoint(base)],
        endpoint: [{ reference: `#${endpointId}` }],
      }),
    }));
  },
};

const endpointId = "dicomweb";
/** DICOMweb accepts the same credentials, and a key with the scope dicomweb.read. */
const dicomwebEndpoint = (base: string): Endpoint => ({
  resourceType: "Endpoint",
  id: endpointId,
  status: "active",
  connectionType: { system: `${hl7Terminology}/endpoint-connection-type`, code: "dicom-wado-rs" },
  payloadType: [{ text: "DICOM" }],
  payloadMimeType: ["application/dicom"],
  address: `${base.slice(0, -fhirRoot.length)}/dicomweb`,
});
