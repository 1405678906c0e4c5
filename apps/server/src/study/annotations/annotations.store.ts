import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { StudyRecord } from "../study.store.ts";
import type { Row } from "../../tables/row.ts";

type AnnotationSet = Row<"study_marks", "version" | "marks">;
export async function findAnnotations(db: Db, { institution_id, id }: StudyRecord): Promise<AnnotationSet> {
  const { rows } =
    await sql<AnnotationSet>`select version, marks from study_marks where institution_id = ${institution_id} and study_id = ${id}`.execute(
      db,
    );
  return rows[0] ?? { version: 0, marks: [] };
}

/** Returns the annotations of a stored version. */
export async function findAnnotationsVersion(
  db: Db,
  { institution_id, id }: StudyRecord,
  version: number,
): Promise<AnnotationSet | undefined> {
  const { rows } = await sql<AnnotationSet>`select version, marks from study_marks_version
    where institution_id = ${institution_id} and study_id = ${id} and version = ${version}`.execute(db);
  return rows[0];
}

interface AnnotationVersion {
  version: number;
  savedAt: string;
  savedBy: string;
  count: number;
}
export const listAnnotationVersions = (db: Db, { institution_id, id }: StudyRecord): Promise<AnnotationVersion[]> =>
  db
    .selectFrom("study_marks_version as v")
    .innerJoin("users as u", "u.id", "v.saved_by")
    .select(["v.version", "v.saved_at as savedAt", "u.nick_name as savedBy"])
    .select(sql<number>`jsonb_array_length(v.marks)`.as("count"))
    .where("v.institution_id", "=", institution_id)
    .where("v.study_id", "=", id)
    .orderBy("v.version", "desc")
    .execute();

/** Returns null if another save came after `version`. The previous content is kept as a version. */
export async function saveAnnotations(
  db: Db,
  study: StudyRecord,
  uid: string,
  { version, marks }: AnnotationSet,
): Promise<AnnotationSet | null> {
  const { institution_id, id } = study;
  await keepVersion(db, study, version);
  const { rows } = await sql<AnnotationSet>`
    insert into study_marks (institution_id, study_id, version, marks, saved_by)
    select ${institution_id}, ${id}, 1, ${JSON.stringify(marks)}::jsonb, ${uid} where ${version}::int = 0
      or exists (select from study_marks where institution_id = ${institution_id} and study_id = ${id})
    on conflict (institution_id, study_id) do update
      set version = study_marks.version + 1, marks = excluded.marks, saved_by = excluded.saved_by, saved_at = now()
      where study_marks.version = ${version}
    returning version, marks`.execute(db);
  return rows[0] ?? null;
}

const versionIntervalMinutes = 10;
const maxVersions = 100;

/**
 * While a user draws, the annotations are saved every second: of one person's saves, one state in ten minutes is kept,
 * and always the last state of another person.
 */
async function keepVersion(db: Db, { institution_id, id }: StudyRecord, version: number): Promise<void> {
  const kept = await sql`insert into study_marks_version (institution_id, study_id, version, marks, saved_by, saved_at)
    select institution_id, study_id, version, marks, saved_by, saved_at from study_marks now_there
    where institution_id = ${institution_id} and study_id = ${id} and version = ${version}
      and not exists (select from study_marks_version v where v.institution_id = now_there.institution_id
        and v.study_id = now_there.study_id and v.saved_by = now_there.saved_by
        and v.version > coalesce((select max(o.version) from study_marks_version o where o.institution_id = v.institution_id
          and o.study_id = v.study_id and o.saved_by <> v.saved_by), 0)
        and v.saved_at > now_there.saved_at - make_interval(mins => ${versionIntervalMinutes}))
    on conflict do nothing`.execute(db);
  if (kept.numAffectedRows !== 1n) return;
  await sql`delete from study_marks_version where institution_id = ${institution_id} and study_id = ${id} and version not in (
    select version from study_marks_version where institution_id = ${institution_id} and study_id = ${id}
    order by version desc limit ${maxVersions})`.execute(db);
}

/** The instances of a volume in their order, with their DICOM JSON; null for those that are not indexed yet. */
export const listSeriesMetadata = async (
  db: Db,
  { institution_id, id }: Pick<StudyRecord, "institution_id" | "id">,
  seriesId: string,
  most: number,
): Promise<{ id: string; metadata: string | null }[]> => {
  const rows = await db
    .selectFrom("instance as i")
    .innerJoin("series as s", (join) =>
      join.onRef("s.institution_id", "=", "i.institution_id").onRef("s.id", "=", "i.series_id"),
    )
    .leftJoin("dicom_instance as d", (join) =>
      join.onRef("d.institution_id", "=", "i.institution_id").onRef("d.instance_id", "=", "i.id"),
    )
    .select(["i.id", "d.metadata"])
    .where("i.institution_id", "=", institution_id)
    .where("i.study_id", "=", id)
    .where("s.id", "=", seriesId)
    .where("s.kind", "=", "volume")
    .orderBy("i.place")
    .limit(most)
    .execute();
  // Addresses in it begin with a character that JSON does not allow.
  return rows.map((row) => ({ ...row, metadata: row.metadata?.replaceAll("\u0001", "") ?? null }));
};

/** The annotations of a study as they are saved; undefined without any. */
export const findSavedMarks = (db: Db, { institution_id, id }: Pick<StudyRecord, "institution_id" | "id">) =>
  db
    .selectFrom("study_marks")
    .select(["version", "marks", "saved_at as savedAt"])
    .where("institution_id", "=", institution_id)
    .where("study_id", "=", id)
    .executeTakeFirst();
