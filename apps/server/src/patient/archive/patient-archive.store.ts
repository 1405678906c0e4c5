import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Database, Db } from "../../platform/database/database.ts";
import { localDayAt, localTimeAt } from "../../domain/institution-time-zone.ts";
import type {
  AnalysisTable,
  ObservationTable,
  ToothChartTable,
  InstitutionTable,
  PatientTable,
  ConsentTable,
  PatientDownloadTable,
  VisitTable,
  ReportTable,
  SeriesTable,
  StudyTable,
} from "../../tables/schema.generated.ts";

/** Rows of one patient as they are in the database, by table, without the columns that only this instance uses. */
export type PatientRows = Record<string, Record<string, unknown>[]> & {
  patient: Selectable<PatientTable>[];
  institution: Pick<Selectable<InstitutionTable>, "id" | "name" | "number" | "country">[];
  study: Selectable<StudyTable>[];
  series: Selectable<SeriesTable>[];
  visit: Selectable<VisitTable>[];
  consent: Selectable<ConsentTable>[];
  tooth_chart: Selectable<ToothChartTable>[];
  analysis: Selectable<AnalysisTable>[];
  observation: Selectable<ObservationTable>[];
  report: Selectable<ReportTable>[];
  people: { id: string; name: string }[];
};
export interface PatientFile {
  kind: "images" | "visits" | "consents" | "reports";
  area: "originals" | "converted";
  /** The record that the file belongs to; it determines the folder. */
  owner: string;
  folder: string;
  name: string;
  sha256: string;
  bytes: number;
  created_at: string;
}

type Key = { iid: string; id: string };
const byPatient = ({ iid, id }: Key) => sql`t.institution_id = ${iid} and t.patient_id = ${id}`;
const byParent = (parent: string, column: string) => (key: Key) =>
  sql`t.institution_id = ${key.iid} and t.${sql.ref(column)} in (select id from ${sql.table(parent)} where institution_id = ${key.iid} and patient_id = ${key.id})`;
const byAnalysis = ({ iid, id }: Key) => sql`t.institution_id = ${iid} and t.analysis_id in (select a.id from analysis a
  join study s on s.institution_id = a.institution_id and s.id = a.study_id where a.institution_id = ${iid} and s.patient_id = ${id})`;

/** Tables of the archive and which of their rows are the patient's, each with the order of its rows. */
const archivedTables: Record<string, { rows: (key: Key) => RawBuilder<unknown>; order: string; without?: string[] }> = {
  patient: {
    rows: ({ iid, id }) => sql`t.institution_id = ${iid} and t.id = ${id}`,
    order: "id",
    without: ["haystack", "grams", "sort_name"],
  },
  visit: { rows: byPatient, order: "at, id" },
  visit_version: { rows: byParent("visit", "visit_id"), order: "visit_id, version" },
  visit_file: { rows: byParent("visit", "visit_id"), order: "visit_id, id" },
  consent: { rows: byPatient, order: "given_at, id" },
  study: { rows: byPatient, order: "created_at, id", without: ["thumbnail", "job_id"] },
  series: {
    rows: byParent("study", "study_id"),
    order: "study_id, place",
    without: ["thumbnail", "job_id", "preview"],
  },
  instance: {
    rows: byParent("study", "study_id"),
    order: "study_id, series_id, place",
    without: ["thumbnail", "job_id"],
  },
  study_marks: { rows: byParent("study", "study_id"), order: "study_id" },
  film_mount: { rows: byPatient, order: "kind" },
  tooth_chart: { rows: byPatient, order: "version" },
  chart_decision: { rows: byPatient, order: "at" },
  analysis: { rows: byParent("study", "study_id"), order: "created_at, id", without: ["held_until", "params_hash"] },
  observation: { rows: byAnalysis, order: "analysis_id, place" },
  ceph_tracing: { rows: byPatient, order: "saved_at, id" },
  report: { rows: byPatient, order: "created_at, id" },
  orders: { rows: byPatient, order: "created_at, id" },
  patient_merge: {
    rows: ({ iid, id }) => sql`t.institution_id = ${iid} and t.kept_id = ${id}`,
    order: "merged_at, id",
  },
};

export async function loadPatientRows(db: Db, iid: string, id: string): Promise<PatientRows> {
  const read: Record<string, Record<string, unknown>[]> = {};
  for (const [name, { rows, order, without = [] }] of Object.entries(archivedTables)) {
    const found = await sql<{
      row: Record<string, unknown>;
    }>`select to_jsonb(t) - ${["institution_id", ...without]}::text[] as row
      from ${sql.table(name)} t where ${rows({ iid, id })} order by ${sql.raw(order)}`.execute(db);
    read[name] = found.rows.map(({ row }) => row);
  }
  const institution = await sql`select id, name, number, country from institution where id = ${iid}`.execute(db);
  const named = [...new Set(JSON.stringify(read).match(uuidPattern))];
  const people = await sql`select id, coalesce(nullif(nick_name, ''), user_name) as name from users
    where id = any(${named}::uuid[]) order by id`.execute(db);
  return { ...read, institution: institution.rows, people: people.rows } as PatientRows;
}
const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface InstitutionZone {
  iid: string;
  zone: string;
}
const filesQuery = ({ iid, zone }: InstitutionZone, id: string) => sql`
  select 'images' as kind, 'originals' as area, s.id as owner, s.kind || ' ' || coalesce(s.taken_at, ${localTimeAt(zone, sql`s.created_at`)})::date as folder,
      i.name, i.sha256, i.bytes, s.created_at, i.place
    from study s join instance i on i.institution_id = s.institution_id and i.study_id = s.id
    where s.institution_id = ${iid} and s.patient_id = ${id}
  union all select 'visits', 'originals', v.id, ${localDayAt(zone, sql`v.at`)}::text, f.name, f.sha256, f.bytes, f.added_at, 0
    from visit v join visit_file f on f.institution_id = v.institution_id and f.visit_id = v.id
    where v.institution_id = ${iid} and v.patient_id = ${id}
  union all select 'consents', 'originals', id, kind || ' ' || ${localDayAt(zone, sql`given_at`)}, scan_name, scan_sha256, scan_bytes, recorded_at, 0
    from consent where institution_id = ${iid} and patient_id = ${id} and scan_sha256 is not null
  union all select 'reports', 'converted', r.id, r.number, r.number || ' ' || p.language || '.pdf', p.sha256, p.bytes,
      r.created_at, 0
    from report r join report_paper p on p.institution_id = r.institution_id and p.report_id = r.id
    where r.institution_id = ${iid} and r.patient_id = ${id}`;

/** Source files, attachments and signed documents, in the order of the archive. */
export async function listPatientFiles(db: Db, institution: InstitutionZone, id: string): Promise<PatientFile[]> {
  const { rows } = await sql<PatientFile>`select kind, area, owner, folder, name, sha256, bytes, created_at
    from (${filesQuery(institution, id)}) f order by kind, folder, owner, place, name`.execute(db);
  return rows;
}

export async function measureArchive(
  db: Db,
  institution: InstitutionZone,
  id: string,
): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`select count(*)::int as files,
    coalesce(sum(bytes), 0)::bigint as bytes from (${filesQuery(institution, id)}) f`.execute(db);
  return rows[0]!;
}

/** Returns a download that was prepared within the last day, if the patient is not deleted. */
export async function findPatientDownload(
  db: Db,
  iid: string,
  id: string,
): Promise<Selectable<PatientDownloadTable> | undefined> {
  const { rows } = await sql<Selectable<PatientDownloadTable>>`select d.* from patient_download d
    join patient p on p.institution_id = d.institution_id and p.id = d.patient_id and p.deleted_at is null
    where d.institution_id = ${iid} and d.id = ${id} and d.created_at > now() - interval '1 day'`.execute(db);
  return rows[0];
}

/** Removes downloads that were prepared more than a day ago; their addresses stop working. */
export const deleteExpiredDownloads = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    await sql`delete from patient_download where created_at < now() - interval '1 day'`.execute(db);
  });
