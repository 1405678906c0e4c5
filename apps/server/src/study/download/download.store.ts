import { sql, type Selectable } from "kysely";
import type { DownloadState, Deidentification } from "@arcada/contract/study/study-download.calls";
import { maskedValues } from "../../domain/masked-patient-values.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import type { StudyDownloadTable } from "../../tables/schema.generated.ts";
import type { InstanceFormat } from "../../tables/study-columns.ts";

export type DownloadRow = Selectable<StudyDownloadTable>;

/** A file of an archive: its location in the store, and the data for its name in the archive. */
export interface PackedFile {
  study_id: string;
  kind: string;
  taken_at: string | null;
  created_at: string;
  series: number;
  place: number;
  name: string;
  format: InstanceFormat;
  sha256: string;
  bytes: number;
  patient_id: string | null;
  patient_name: string;
  patient_number: string;
  known: string[];
}

/**
 * Returns the files of these studies of one institution in the order in which they are packed; none of a study in the
 * bin.
 */
export const listPackedFiles = async (db: Db, iid: string, studies: readonly string[]): Promise<PackedFile[]> =>
  (
    await sql<PackedFile>`
    select s.id as study_id, s.kind, s.taken_at, s.created_at, r.place as series, i.place, i.name, i.format, i.sha256, i.bytes,
      s.patient_id, coalesce(p.name, '') as patient_name, coalesce(p.number, '') as patient_number,
      ${maskedValues} as known
    from study s
    join series r on r.institution_id = s.institution_id and r.study_id = s.id
    join instance i on i.institution_id = r.institution_id and i.series_id = r.id
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where s.institution_id = ${iid} and s.id = any(${[...studies]}::uuid[]) and s.deleted_at is null and p.deleted_at is null
    order by coalesce(s.taken_at, s.created_at), s.id, r.place, i.place, i.id`.execute(db)
  ).rows;

export const insertDownload = (db: Db, row: Omit<DownloadRow, "state" | "done" | "created_at">) =>
  sql`insert into study_download (institution_id, id, user_id, owner_id, order_id, studies, nameless, language, files)
    values (${row.institution_id}, ${row.id}, ${row.user_id}, ${row.owner_id}, ${row.order_id}, ${row.studies}::uuid[],
      ${row.nameless && JSON.stringify(row.nameless satisfies Deidentification)}::jsonb, ${row.language}, ${row.files})`.execute(
    db,
  );

export const findDownload = async (db: Db, iid: string, id: string): Promise<DownloadRow | undefined> =>
  (await sql<DownloadRow>`select * from study_download where institution_id = ${iid} and id = ${id}`.execute(db))
    .rows[0];

export const updateDownloadState = (
  database: Database,
  { institution_id, id }: Pick<DownloadRow, "institution_id" | "id">,
  state: DownloadState,
  done: number,
) =>
  database.asSystem((db) =>
    sql`update study_download set state = ${state}, done = ${done} where institution_id = ${institution_id} and id = ${id}`.execute(
      db,
    ),
  );
