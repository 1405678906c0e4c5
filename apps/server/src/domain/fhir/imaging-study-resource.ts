import type { Selectable } from "kysely";
import type { ImagingStudy, Patient, Reference } from "@medplum/fhirtypes";
import type { SeriesTable, StudyTable } from "../../tables/schema.generated.ts";
import { systems } from "./fhir-datatypes.ts";

export type StudyColumns = Pick<
  Selectable<StudyTable>,
  "id" | "uid" | "taken_at" | "modality" | "description" | "count" | "deleted_at"
>;
export type SeriesColumns = Pick<Selectable<SeriesTable>, "uid" | "modality" | "description">;

export function toImagingStudy(
  study: StudyColumns,
  own: readonly SeriesColumns[],
  subject: Reference<Patient>,
): ImagingStudy {
  const series = own.flatMap(({ uid, modality, description }) =>
    uid && modality ? [{ uid, modality: dicomCode(modality), ...(description && { description }) }] : [],
  );
  return {
    resourceType: "ImagingStudy",
    id: study.id,
    status: study.deleted_at === null ? "available" : "cancelled",
    ...(study.uid && { identifier: [{ system: systems.dicomUid, value: `urn:oid:${study.uid}` }] }),
    subject,
    // The device's local time has no time zone: its day is certain, its hour is not.
    ...(study.taken_at && { started: study.taken_at.slice(0, 10) }),
    ...(study.modality && { modality: [dicomCode(study.modality)] }),
    numberOfSeries: own.length,
    numberOfInstances: study.count,
    ...(study.description && { description: study.description }),
    ...(series.length > 0 && { series }),
  };
}
const dicomCode = (code: string) => ({ system: systems.dicomModality, code });
