import path from "node:path";
import type { DocumentReference, Patient } from "@medplum/fhirtypes";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { serverLinks, systems, toCodeableConcept } from "../../domain/fhir/fhir-datatypes.ts";
import type { Db } from "../../platform/database/database.ts";
import type { StorageArea } from "../../platform/storage/file-store.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { RecordDefinition } from "../resource-definition.ts";
import { isUuid } from "../search/search-parameters.ts";
import { findLivingPatient } from "./read-names.ts";
import { patientInclusion } from "./inclusions.ts";
import { dateMatch, idMatch, statusMatch, subjectMatch, typeMatch } from "./record-parameters.ts";

/** A stored document of a patient. Its id is that of the DocumentReference and of the Binary. */
export interface StoredDocument {
  id: string;
  kind: "report" | "visit" | "consent";
  area: StorageArea;
  sha256: string;
  name: string;
  bytes: number;
  at: string;
  type: string;
  language: string | null;
}

const subject = patientInclusion((resource) =>
  resource.resourceType === "DocumentReference" ? resource.subject : undefined,
);

export const documentReferenceDefinition: RecordDefinition = {
  kind: "record",
  type: "DocumentReference",
  description: "A signed report as a PDF, a file of a visit, or a signed consent",
  access: { roles: clinicRoles, scopes: ["records.read"] },
  audit: { search: "patient.read", read: "patient.read" },
  parameters: {
    _id: idMatch,
    patient: subjectMatch,
    subject: subjectMatch,
    status: statusMatch,
    type: typeMatch,
    date: dateMatch("The time at which the document came to be", (resource) =>
      resource.resourceType === "DocumentReference" ? resource.date : undefined,
    ),
  },
  includes: { patient: subject, subject },
  isVersioned: false,
  findPatient: findPatientOfDocument,
  loadOfPatient: async (context, patientId) => {
    const patient = await findLivingPatient(context, patientId);
    const documents = await listDocuments(context, patientId);
    return documents.map((document): DocumentReference => ({
      resourceType: "DocumentReference",
      id: document.id,
      status: "current",
      type: toCodeableConcept(systems.documentKind, document.kind),
      subject: serverLinks.refer<Patient>("Patient", patientId, patient?.name),
      date: document.at,
      content: [
        {
          attachment: {
            contentType: document.type,
            ...(document.language && { language: document.language }),
            url: `${context.base}/Binary/${document.id}`,
            size: document.bytes,
            title: document.name,
          },
        },
      ],
    }));
  },
};

/** Returns a document by its id, if the reader may see it. */
export async function findDocument(
  context: FhirContext,
  id: string,
): Promise<(StoredDocument & { patientId: string }) | null> {
  const patientId = await findPatientOfDocument(context, id);
  if (patientId === null) return null;
  const document = (await listDocuments(context, patientId)).find((one) => one.id === id);
  return document ? { ...document, patientId } : null;
}

/** `report.language`, `consent.scan`, and the id of a visit's file. */
async function findPatientOfDocument({ db, iid }: FhirContext, id: string): Promise<string | null> {
  const owner = id.slice(0, 36);
  if (!isUuid(owner)) return null;
  if (id.length === 36) {
    const row = await db
      .selectFrom("visit_file as f")
      .innerJoin("visit as v", (join) =>
        join.onRef("v.institution_id", "=", "f.institution_id").onRef("v.id", "=", "f.visit_id"),
      )
      .select("v.patient_id")
      .where("f.institution_id", "=", iid)
      .where("f.id", "=", owner)
      .executeTakeFirst();
    return row?.patient_id ?? null;
  }
  const row = await db
    .selectFrom(id.slice(36) === scanPart ? "consent" : "report")
    .select("patient_id")
    .where("institution_id", "=", iid)
    .where("id", "=", owner)
    .executeTakeFirst();
  return row?.patient_id ?? null;
}
const scanPart = ".scan";

/** The stored PDFs of reports. */
export const listReportPapers = (db: Db, iid: string, reportIds: readonly string[]) =>
  db
    .selectFrom("report_paper")
    .select(["report_id", "language", "sha256", "bytes"])
    .where("institution_id", "=", iid)
    .where("report_id", "in", [...reportIds])
    .orderBy("language")
    .execute();

async function listDocuments(context: FhirContext, patientId: string): Promise<StoredDocument[]> {
  if (!(await findLivingPatient(context, patientId))) return [];
  const found = [
    ...(await listReportDocuments(context, patientId)),
    ...(await listVisitDocuments(context, patientId)),
    ...(await listConsentDocuments(context, patientId)),
  ];
  return found.toSorted((one, other) => other.at.localeCompare(one.at));
}

async function listReportDocuments({ db, iid }: FhirContext, patientId: string): Promise<StoredDocument[]> {
  const reports = await db
    .selectFrom("report")
    .select(["id", "number", "created_at", "signed_at"])
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .where("state", "<>", "withdrawn")
    .execute();
  if (reports.length === 0) return [];
  const papers = await listReportPapers(
    db,
    iid,
    reports.map(({ id }) => id),
  );
  return papers.flatMap(({ report_id, language, sha256, bytes }) => {
    const report = reports.find(({ id }) => id === report_id);
    if (!report) return [];
    return [
      {
        id: `${report_id}.${language}`,
        kind: "report",
        area: "converted",
        sha256,
        bytes,
        name: `${report.number} ${language}.pdf`,
        at: report.signed_at ?? report.created_at,
        type: "application/pdf",
        language,
      } satisfies StoredDocument,
    ];
  });
}

async function listVisitDocuments({ db, iid }: FhirContext, patientId: string): Promise<StoredDocument[]> {
  const rows = await db
    .selectFrom("visit_file as f")
    .innerJoin("visit as v", (join) =>
      join.onRef("v.institution_id", "=", "f.institution_id").onRef("v.id", "=", "f.visit_id"),
    )
    .select(["f.id", "f.name", "f.sha256", "f.bytes", "f.added_at"])
    .where("v.institution_id", "=", iid)
    .where("v.patient_id", "=", patientId)
    .where("v.deleted_at", "is", null)
    .execute();
  return rows.map(({ id, name, sha256, bytes, added_at }) => ({
    id,
    kind: "visit",
    area: "originals",
    sha256,
    bytes,
    name,
    at: added_at,
    type: typeOfName(name),
    language: null,
  }));
}

async function listConsentDocuments({ db, iid }: FhirContext, patientId: string): Promise<StoredDocument[]> {
  const rows = await db
    .selectFrom("consent")
    .select(["id", "scan_name", "scan_sha256", "scan_bytes", "recorded_at"])
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .execute();
  return rows.flatMap(({ id, scan_name, scan_sha256, scan_bytes, recorded_at }) =>
    scan_sha256 === null
      ? []
      : [
          {
            id: `${id}${scanPart}`,
            kind: "consent",
            area: "originals",
            sha256: scan_sha256,
            bytes: scan_bytes ?? 0,
            name: scan_name ?? "consent",
            at: recorded_at,
            type: typeOfName(scan_name ?? ""),
            language: null,
          } satisfies StoredDocument,
        ],
  );
}

const types: Record<string, string> = {
  ".pdf": "application/pdf",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".bmp": "image/bmp",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
  ".dcm": "application/dicom",
  ".zip": "application/zip",
};
// Everything that a browser might run is sent as plain bytes.
const typeOfName = (name: string): string => types[path.extname(name).toLowerCase()] ?? "application/octet-stream";
