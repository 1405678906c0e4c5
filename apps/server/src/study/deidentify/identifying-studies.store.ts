import { sql } from "kysely";
import type { IdentifyingStudy } from "@arcada/contract/study/study-download.calls";
import { classifyBurntIn, type BurntInReason } from "@arcada/imaging/dicom/deidentify/identifying-pixels";
import type { Db } from "../../platform/database/database.ts";

interface IdentifyingStudyRow {
  study_id: string;
  kind: string;
  modality: string | null;
  sop_class: string | null;
  // Valid JSON once the address, which contains a control character, is removed.
  dataset: Record<string, { Value?: unknown[] }> | null;
}

/**
 * Returns the studies of a patient whose pixels may identify them, with the reasons. One file represents its series.
 */
export async function listIdentifyingStudies(db: Db, iid: string, patientId: string): Promise<IdentifyingStudy[]> {
  const { rows } = await sql<IdentifyingStudyRow>`
    select s.id as study_id, s.kind, s.modality, d.sop_class, d.dataset from study s
    left join lateral (
      select distinct on (series_uid, sop_class) sop_class, translate(metadata, chr(1), '')::jsonb as dataset
      from dicom_instance where institution_id = s.institution_id and study_id = s.id
      order by series_uid, sop_class, number nulls last
    ) d on true
    where s.institution_id = ${iid} and s.patient_id = ${patientId} and s.deleted_at is null`.execute(db);
  return [...Map.groupBy(rows, ({ study_id }) => study_id)]
    .map(([studyId, found]) => ({ studyId, reasons: [...new Set(found.flatMap(identifyingReasons))] }))
    .filter(({ reasons }) => reasons.length > 0);
}

function identifyingReasons({ kind, modality, sop_class, dataset }: IdentifyingStudyRow): BurntInReason[] {
  if (sop_class === null) return kind === "photo" ? ["face"] : [];
  const texts = (tag: string) => (dataset?.[tag]?.Value ?? []).map(String);
  const bit = dataset?.["60000102"]?.Value?.[0];
  return classifyBurntIn({
    sopClass: sop_class,
    modality: texts("00080060")[0] ?? modality ?? "",
    imageType: texts("00080008"),
    annotation: texts("00280301")[0] ?? "",
    features: texts("00280302")[0] ?? "",
    overlayBit: typeof bit === "number" && dataset?.["60003000"] === undefined ? bit : null,
  });
}
