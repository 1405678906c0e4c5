import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { analysisRules, modalityByKind } from "@arcada/contract/analysis/analysis.rules";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";

/** An input that an engine can analyse: a 2D image, or a volume as a whole. */
export interface AnalysableImage {
  studyId: string;
  seriesId: string;
  /** Null: a volume. */
  instanceId: string | null;
  kind: StudyKind;
  sha256: string;
}

/** True if the study or patient exists and is not in the recycle bin: nothing in the bin is analysed. */
export async function isAnalysable(
  db: Db,
  iid: string,
  what: { studyId: string } | { patientId: string },
): Promise<boolean> {
  const { rows } =
    "studyId" in what
      ? await sql`select from study s join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
          where s.institution_id = ${iid} and s.id = ${what.studyId} and s.deleted_at is null and p.deleted_at is null`.execute(
          db,
        )
      : await sql`select from patient where institution_id = ${iid} and id = ${what.patientId} and deleted_at is null`.execute(
          db,
        );
  return rows.length > 0;
}

type AnalysableImageRow = Omit<AnalysableImage, "sha256"> & { contents: string[] };

/**
 * Returns the images of a study that is not deleted, or only the named one: a 2D image by its instance, a volume by its
 * series.
 */
export async function listImages(
  db: Db,
  iid: string,
  studyId: string,
  imageId?: string | null,
): Promise<AnalysableImage[]> {
  const { rows } =
    await sql<AnalysableImageRow>`select s.id as "studyId", r.id as "seriesId", i.id as "instanceId", s.kind, array[i.sha256] as contents
      from study s join series r on r.institution_id = s.institution_id and r.study_id = s.id and r.kind = 'pictures'
        join instance i on i.institution_id = s.institution_id and i.series_id = r.id and i.picture is not null
      where s.institution_id = ${iid} and s.id = ${studyId} and s.deleted_at is null and s.patient_id is not null
        and (${imageId ?? null}::uuid is null or i.id = ${imageId ?? null})
    union all
    select s.id, r.id, null, s.kind, (select array_agg(i.sha256 order by i.place, i.id) from instance i
        where i.institution_id = s.institution_id and i.series_id = r.id)
      from study s join series r on r.institution_id = s.institution_id and r.study_id = s.id and r.kind = 'volume' and r.volume is not null
      where s.institution_id = ${iid} and s.id = ${studyId} and s.deleted_at is null and s.patient_id is not null
        and (${imageId ?? null}::uuid is null or r.id = ${imageId ?? null})
    limit ${analysisRules.maxImages}`.execute(db);
  return rows.map(({ contents, ...image }) => ({ ...image, sha256: hashContents(contents) }));
}

const hashContents = (contents: readonly string[]): string =>
  contents.length === 1 ? contents[0]! : createHash("sha256").update(contents.join("\n")).digest("hex");

export function canAnalyse(
  info: EngineInfo,
  { kind, instanceId }: Pick<AnalysableImage, "kind" | "instanceId">,
): boolean {
  const modality = modalityByKind[kind];
  // Slices that do not form a volume are no projection image either.
  return modality !== null && info.modalities.includes(modality) && (modality === "CT") === (instanceId === null);
}
