import { sql } from "kysely";
import { quarterTurnsToUpright } from "@arcada/analysis/ceph/normalised-tracing";
import { chartContent } from "@arcada/contract/chart/chart.schema";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { cephContent } from "@arcada/contract/ceph/ceph.schema";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import type { Abstention, EngineInfo, Observation } from "@arcada/contract/analysis/observation";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { ReportContent, ReportForm } from "@arcada/contract/report/report.schema";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { Db } from "../platform/database/database.ts";
import { localDayAt, localTimeAt, resolveZone, readInstitutionZone } from "../domain/institution-time-zone.ts";
import type { ImageInfo } from "../tables/study-columns.ts";
import type { Column, Row } from "../tables/row.ts";

/** All sources of a report besides its writer's text. */
export interface ReportSources {
  patient: ReportContent["patient"];
  institution: ReportContent["institution"];
  chart: { version: number; content: ChartContent };
  images: ReportContent["images"];
  analyses: SourceAnalysis[];
  /** Suggestions of engines for the findings in the chart, by the observation's id. */
  suggestions: Map<string, SourceObservation>;
  tracing: SourceTracing | null;
}
export interface SourceAnalysis {
  id: string;
  study_id: string;
  engine: EngineInfo;
  abstentions: Abstention[];
  observations: DecidedObservation[];
  instance_id: string | null;
  kind: StudyKind;
  taken: string | null;
  /** The measured image was compressed with loss when it was stored. */
  lossy: boolean;
}
interface DecidedObservation extends Observation {
  /** The number under which a dentist accepted a tooth that the engine found; null: nobody has accepted it. */
  accepted_as?: number | null;
}
interface SourceObservation {
  analysis_id: string;
  study_id: string;
  instance_id: string | null;
  engine: EngineInfo;
  abstentions: Abstention[];
  observation: Observation;
}
interface SourceTracing {
  study_id: string;
  instance_id: string;
  version: number;
  content: CephContent;
  picture: ImageInfo | null;
  sex: string;
  /** On the day of the radiograph. */
  age: number | null;
  lossy: boolean;
}

/** An image's day where it is known, else that of its arrival. */
const acquisitionDay = (zone: string) => sql`coalesce(s.taken_at::text, ${localDayAt(zone, sql`s.created_at`)}::text)`;

interface SourcesQuery {
  iid: string;
  patientId: string;
  form: Pick<ReportForm, "images" | "analysisIds" | "tracingId">;
  /** Ages are those of this moment's day. */
  at: Date | string;
}

/** Undefined where the patient is not there. */
export async function loadSources(
  db: Db,
  { iid, patientId, form, at }: SourcesQuery,
): Promise<ReportSources | undefined> {
  const institution = await loadInstitution(db, iid);
  const zone = institution.timeZone;
  const day = localDayIn(zone, at);
  const patient = await findReportPatient(db, iid, patientId, day);
  if (!patient) return undefined;
  const chart = await findChart(db, iid, patientId);
  return {
    patient,
    institution,
    chart,
    images: await listChosenImages(db, { iid, zone }, patientId, form.images),
    analyses: await listChosenAnalyses(db, { iid, zone }, patientId, form.analysisIds),
    suggestions: await loadSuggestions(db, iid, chart.content),
    tracing: form.tracingId ? await findTracing(db, { iid, patientId, id: form.tracingId, day }) : null,
  };
}

async function findReportPatient(
  db: Db,
  iid: string,
  id: string,
  day: string,
): Promise<ReportSources["patient"] | undefined> {
  const { rows } = await sql<
    ReportSources["patient"]
  >`select name, number, sex, birth_date as "birthDate", entry_number as "entryNumber",
      extract(year from age(${day}::date, patient_born(birth_date, age_given, age_given_on)))::int as age
    from patient where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}

export async function patientExists(db: Db, iid: string, id: string): Promise<boolean> {
  const { rows } =
    await sql`select from patient where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db);
  return rows.length === 1;
}

interface InstitutionZone {
  iid: string;
  zone: string;
}

async function loadInstitution(db: Db, iid: string): Promise<ReportSources["institution"] & { timeZone: string }> {
  const { name, number, address, contact_way, ...zone } = await db
    .selectFrom("institution")
    .select(["name", "number", "address", "contact_way", "time_zone", "country"])
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  return { name, number, address, contact: contact_way, timeZone: resolveZone(zone) };
}

async function findChart(db: Db, iid: string, patientId: string): Promise<ReportSources["chart"]> {
  const { rows } = await sql<Row<"tooth_chart", "version" | "content">>`select version, content from tooth_chart
    where institution_id = ${iid} and patient_id = ${patientId} order by version desc limit 1`.execute(db);
  const [row] = rows;
  return row
    ? { version: row.version, content: chartContent.parse(row.content) }
    : { version: 0, content: { teeth: [] } };
}

/** In the order in which they were chosen, without images that are not this patient's or cannot be shown. */
async function listChosenImages(
  db: Db,
  { iid, zone }: InstitutionZone,
  patientId: string,
  chosen: ReportForm["images"],
): Promise<ReportContent["images"]> {
  if (chosen.length === 0) return [];
  const { rows } = await sql<{ id: string; study: string; kind: string; taken: string | null; traced: unknown }>`
    select i.id, s.id as study, s.kind, ${acquisitionDay(zone)} as taken, (select c.content from ceph_tracing c
        where c.institution_id = i.institution_id and c.study_id = s.id and c.instance_id = i.id
        order by c.saved_at desc limit 1) as traced
    from instance i join study s on s.institution_id = i.institution_id and s.id = i.study_id
    where i.institution_id = ${iid} and i.id = any(${chosen.map(({ instanceId }) => instanceId)}::uuid[])
      and i.picture is not null and s.patient_id = ${patientId} and s.deleted_at is null`.execute(db);
  const known = new Map(rows.map((row) => [row.id, row]));
  return chosen.flatMap(({ instanceId, caption }) => {
    const row = known.get(instanceId);
    if (!row) return [];
    const { study: studyId, kind, taken: takenAt, traced } = row;
    // A radiograph that was scanned sideways is turned as in its tracing.
    const turns = traced ? quarterTurnsToUpright(cephContent.parse(traced)) : 0;
    return [{ studyId, instanceId, caption, kind, takenAt, ...(turns > 0 && { turns }) }];
  });
}

type AnalysisRow = Omit<SourceAnalysis, "observations">;
async function listChosenAnalyses(
  db: Db,
  { iid, zone }: InstitutionZone,
  patientId: string,
  ids: readonly string[],
): Promise<SourceAnalysis[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AnalysisRow>`select a.id, a.study_id, a.engine, a.abstentions, a.instance_id,
      exists (select from series r where r.institution_id = a.institution_id and r.study_id = a.study_id
        and r.problems @> '[{"code": "lossy"}]' and case when a.instance_id is null then r.kind = 'volume'
          else r.id = (select i.series_id from instance i
            where i.institution_id = a.institution_id and i.id = a.instance_id) end) as lossy,
      s.kind, ${acquisitionDay(zone)} as taken from analysis a join study s on s.institution_id = a.institution_id and s.id = a.study_id
    where a.institution_id = ${iid} and a.id = any(${[...ids]}::uuid[]) and a.state = 'done' and s.patient_id = ${patientId}
      and s.deleted_at is null order by s.created_at, a.created_at`.execute(db);
  // A decision holds for the image: also for what another analysis of the same image found.
  const seen = await sql<
    Row<"observation"> & { accepted_as: Column<"chart_decision", "fdi"> }
  >`select o.*, d.fdi as accepted_as
    from observation o join analysis a on a.institution_id = o.institution_id and a.id = o.analysis_id
      left join chart_decision d on d.institution_id = a.institution_id and d.patient_id = ${patientId}
        and d.image_sha256 = a.image_sha256 and d.code = o.code and d.target = o.target and d.decision <> 'reject'
    where o.institution_id = ${iid} and o.analysis_id = any(${rows.map(({ id }) => id)}::uuid[])
    order by o.analysis_id, o.place`.execute(db);
  const byAnalysis = Map.groupBy(seen.rows, ({ analysis_id }) => analysis_id);
  return rows.map((row) => ({ ...row, observations: byAnalysis.get(row.id) ?? [] }));
}

async function loadSuggestions(db: Db, iid: string, { teeth }: ChartContent): Promise<ReportSources["suggestions"]> {
  const ids = teeth.flatMap(({ findings }) => findings.flatMap(({ observationId }) => observationId ?? []));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    SourceObservation & { id: string }
  >`select o.id, o.analysis_id, a.study_id, a.instance_id, a.engine,
      a.abstentions, to_jsonb(o) as observation
    from observation o join analysis a on a.institution_id = o.institution_id and a.id = o.analysis_id
    where o.institution_id = ${iid} and o.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

async function findTracing(
  db: Db,
  { iid, patientId, id, day }: { iid: string; patientId: string; id: string; day: string },
): Promise<SourceTracing | null> {
  const { rows } = await sql<Omit<SourceTracing, "content"> & { content: unknown }>`
    select c.study_id, c.instance_id, c.version, c.content, i.picture, p.sex,
      exists (select from series r where r.institution_id = i.institution_id and r.id = i.series_id
        and r.problems @> '[{"code": "lossy"}]') as lossy,
      extract(year from age(coalesce(s.taken_at::date, ${day}::date), patient_born(p.birth_date, p.age_given, p.age_given_on)))::int as age
    from ceph_tracing c join study s on s.institution_id = c.institution_id and s.id = c.study_id and s.deleted_at is null
      join instance i on i.institution_id = c.institution_id and i.id = c.instance_id
      join patient p on p.institution_id = c.institution_id and p.id = c.patient_id
    where c.institution_id = ${iid} and c.id = ${id} and c.patient_id = ${patientId}`.execute(db);
  const [row] = rows;
  return row ? { ...row, content: cephContent.parse(row.content) } : null;
}

/** Returns the analyses and tracings that may be chosen for the report. */
export async function listChoices(db: Db, iid: string, patientId: string) {
  const zone = await readInstitutionZone(db, iid);
  const analyses = await sql<{
    id: string;
    study_id: string;
    instance_id: string | null;
    engine: EngineInfo;
    ended_at: string;
    kind: StudyKind;
    taken: string | null;
  }>`select a.id, a.study_id, a.instance_id, a.engine, a.ended_at, s.kind, ${acquisitionDay(zone)} as taken from analysis a
    join study s on s.institution_id = a.institution_id and s.id = a.study_id
    where a.institution_id = ${iid} and s.patient_id = ${patientId} and s.deleted_at is null and a.state = 'done'
    order by a.ended_at desc limit 100`.execute(db);
  const tracings = await sql<
    Row<"ceph_tracing", "id"> & {
      studyId: Column<"ceph_tracing", "study_id">;
      savedAt: Column<"ceph_tracing", "saved_at">;
    }
  >`select c.id, c.study_id as "studyId", c.saved_at as "savedAt"
    from ceph_tracing c join study s on s.institution_id = c.institution_id and s.id = c.study_id and s.deleted_at is null
    where c.institution_id = ${iid} and c.patient_id = ${patientId} order by c.saved_at desc limit 100`.execute(db);
  return { analyses: analyses.rows, tracings: tracings.rows };
}

interface ImageChoiceRow {
  studyId: string;
  instanceId: string;
  kind: StudyKind;
  takenAt: string | null;
  thumbnail: string | null;
}
const maxChoices = 200;
/** Images of the patient, newest first. */
export async function listImageChoices(db: Db, iid: string, patientId: string): Promise<ImageChoiceRow[]> {
  const zone = await readInstitutionZone(db, iid);
  const { rows } = await sql<ImageChoiceRow>`select s.id as "studyId", i.id as "instanceId", s.kind,
      ${acquisitionDay(zone)} as "takenAt", i.thumbnail
    from study s join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.picture is not null
    where s.institution_id = ${iid} and s.patient_id = ${patientId} and s.deleted_at is null and s.kind <> 'ct'
    order by coalesce(s.taken_at, ${localTimeAt(zone, sql`s.created_at`)}) desc, s.id, i.place limit ${maxChoices}`.execute(
    db,
  );
  return rows;
}

/** Teeth that were changed after a version of the chart. */
export async function listTeethChangedSince(
  db: Db,
  iid: string,
  patientId: string,
  version: number,
): Promise<number[]> {
  const { rows } = await sql<{ fdi: number }>`select distinct unnest(changed) as fdi from tooth_chart
    where institution_id = ${iid} and patient_id = ${patientId} and version > ${version} order by fdi`.execute(db);
  return rows.map(({ fdi }) => fdi);
}

/** Locks the record, the chart and the tracing until this transaction ends. */
export async function lockSources(db: Db, iid: string, patientId: string): Promise<void> {
  await sql`select from patient where institution_id = ${iid} and id = ${patientId} for share`.execute(db);
  // The lock under which charts are written.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chart ${iid} ${patientId}`}, 0))`.execute(db);
  await sql`select from ceph_tracing where institution_id = ${iid} and patient_id = ${patientId} for share`.execute(db);
}
