import { sql } from "kysely";
import type { ChartTooth } from "@arcada/contract/chart/chart.schema";
import type { Db } from "../../platform/database/database.ts";
import type { InstanceTable, StudyTable } from "../../tables/schema.generated.ts";
import type { ImageInfo } from "../../tables/study-columns.ts";

/** An image that may be exported, with what a dentist has confirmed in its patient's chart. */
export interface TrainingImage {
  patientId: string;
  instanceId: string;
  kind: StudyTable["kind"];
  picture: ImageInfo;
  format: InstanceTable["format"];
  /** The hash of the derived file for viewers; null if the file was removed since. */
  content: string | null;
  chart: { version: number; teeth: ChartTooth[] };
  /** Boxes of teeth that an engine proposed and a dentist accepted. */
  boxes: { fdi: number; by: string; geometry: { left: number; top: number; right: number; bottom: number } }[];
}

/**
 * Photographs show faces, and an image that declares burned-in annotation has a name in its pixels: neither is
 * exported.
 */
const isExportable = sql`s.kind in ('panorama', 'lateralCeph', 'dentalFilm', 'xRay')
  and not exists (select from dicom_instance x where x.institution_id = i.institution_id and x.instance_id = i.id
    and upper(translate(x.metadata, chr(1), '')::jsonb #>> '{00280301,Value,0}') = 'YES')`;
const newestChart = sql`lateral (select c.version, (select jsonb_agg(t) from jsonb_array_elements(c.content -> 'teeth') t
      where t ->> 'confirmedBy' is not null) as teeth
    from tooth_chart c where c.institution_id = p.institution_id and c.patient_id = p.id order by c.version desc limit 1) chart`;
const hasConsented = sql`exists (select from consent k where k.institution_id = p.institution_id and k.patient_id = p.id
  and k.kind = 'training' and k.withdrawn_at is null)`;
/** A radiograph shows the teeth for which it is the evidence of a finding, a panorama all teeth. */
const isAssessed = sql`(s.kind = 'panorama' or exists (select from jsonb_array_elements(chart.teeth) t, jsonb_array_elements(t -> 'findings') f
    where f ->> 'status' in ('accepted', 'added') and f -> 'evidence' ->> 'instanceId' = i.id::text))`;
const trainingRows = (iid: string) => sql`from patient p cross join ${newestChart}
    join study s on s.institution_id = p.institution_id and s.patient_id = p.id and s.deleted_at is null
    join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.picture is not null
  where p.institution_id = ${iid} and p.deleted_at is null and chart.teeth is not null and ${isExportable} and ${isAssessed}`;

export async function countTrainingImages(
  db: Db,
  iid: string,
): Promise<{ images: number; patients: number; withoutConsent: number }> {
  const { rows } = await sql<{ images: number; patients: number; withoutConsent: number }>`select
      count(*) filter (where agrees)::int as images, count(distinct id) filter (where agrees)::int as patients,
      count(distinct id) filter (where not agrees)::int as "withoutConsent"
    from (select p.id, ${hasConsented} as agrees ${trainingRows(iid)}) found`.execute(db);
  return rows[0]!;
}

const maxImages = 20_000;
export async function listTrainingImages(db: Db, iid: string): Promise<TrainingImage[]> {
  const { rows } =
    await sql<TrainingImage>`select p.id as "patientId", i.id as "instanceId", s.kind, i.picture, i.format,
      (select f.sha256 from converted_file f where f.institution_id = i.institution_id and f.study_id = i.study_id
        and f.owner_id = i.id and f.role = 'picture' and f.place = 0) as content,
      jsonb_build_object('version', chart.version, 'teeth', chart.teeth) as chart,
      (select coalesce(jsonb_agg(jsonb_build_object('fdi', d.target -> 'fdi', 'geometry', o.geometry,
          'by', a.engine_id || ' ' || a.engine_version)), '[]') from chart_decision d
        join observation o on o.institution_id = d.institution_id and o.id = d.observation_id
        join analysis a on a.institution_id = o.institution_id and a.id = o.analysis_id
        where d.institution_id = p.institution_id and d.patient_id = p.id and d.image_sha256 = i.sha256
          and d.code = 'TOOTH_BOX' and d.decision = 'accept' and o.geometry ->> 'kind' = 'box') as boxes
    ${trainingRows(iid)} and ${hasConsented} order by p.id, s.created_at, i.place, i.id limit ${maxImages}`.execute(db);
  return rows;
}
