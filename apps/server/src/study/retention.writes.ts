import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Db } from "../platform/database/database.ts";
import type { BlobKey } from "../platform/storage/blob-references.ts";
import type { Row } from "../tables/row.ts";
import { archImagesPlace, coarseCopyPlace } from "../tables/study-columns.ts";

/** Deletes a study with its parts; returns the contents to which they referred. */
export async function deleteStudy(db: Db, iid: string, id: string): Promise<BlobKey[]> {
  const listContents = async (column: string, table: string): Promise<string[]> =>
    (
      await sql<{
        sha256: string;
      }>`select distinct ${sql.ref(column)} as sha256 from ${sql.table(table)} where institution_id = ${iid}
        and ${sql.ref(table === "study" ? "id" : "study_id")} = ${id} and ${sql.ref(column)} is not null`.execute(db)
    ).rows.map((row) => row.sha256);
  const tablesOfOriginals = ["instance", "implant_document"];
  const originals = await Promise.all(tablesOfOriginals.map((table) => listContents("sha256", table)));
  const pictures = await Promise.all(["study", "series", "instance"].map((table) => listContents("thumbnail", table)));
  const converted = [...(await listContents("sha256", "converted_file")), ...pictures.flat()];
  await sql`delete from study where institution_id = ${iid} and id = ${id}`.execute(db);
  return [
    ...originals.flat().map((sha256) => ({ area: "originals" as const, sha256 })),
    ...converted.map((sha256) => ({ area: "converted" as const, sha256 })),
  ];
}

/** Deletes questions that were never answered at the patient; returns their studies, at most so many. */
export async function closeOldQuestions(db: Db, most: number): Promise<StudyWithoutAnswer[]> {
  const { rows } = await sql<StudyWithoutAnswer>`with over as (
      delete from study_question q where q.asked_at < now() - make_interval(days => ${studyRules.questionDays}::int)
      returning q.institution_id, q.study_id)
    select s.institution_id as institution, s.id as study, s.kind, s.patient_id is null and s.deleted_at is null as "isWaiting"
      from over join study s on s.institution_id = over.institution_id and s.id = over.study_id limit ${most}`.execute(
    db,
  );
  return rows;
}
interface StudyWithoutAnswer {
  institution: string;
  study: string;
  kind: string;
  /** True if the study belongs to nobody and is not deleted: it is in the inbox now. */
  isWaiting: boolean;
}

/** Removes the files for viewers from a study, which can be made again; thumbnails stay. Returns their contents. */
export async function dropDerivedRows(db: Db, iid: string, id: string): Promise<string[]> {
  const { rows } = await sql<
    Row<"converted_file", "sha256">
  >`delete from converted_file where institution_id = ${iid} and study_id = ${id} returning sha256`.execute(db);
  await sql`update instance set picture = null, model = null, document = null where institution_id = ${iid} and study_id = ${id}`.execute(
    db,
  );
  await sql`update series set volume = null, preview = null where institution_id = ${iid} and study_id = ${id}`.execute(
    db,
  );
  await sql`update study set state = 'unconverted' where institution_id = ${iid} and id = ${id}`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

/**
 * Removes a lost file for viewers from the studies that show it, so that it is made again; returns those studies. Their
 * intact files stay. A lost coarse copy, or the images of an arch, are not made again: viewers show their scan or volume
 * without them.
 */
export async function removeLostDerivedFile(db: Db, store: string, sha256: string): Promise<string[]> {
  const showing = ["converted_file", "series", "instance"].map(
    (table) =>
      sql`select study_id from ${sql.table(table)} where institution_id = ${store}
        and ${sql.ref(table === "converted_file" ? "sha256" : "thumbnail")} = ${sha256}`,
  );
  await sql`select from study where institution_id = ${store}
    and (thumbnail = ${sha256} or id in (${sql.join(showing, sql` union all `)})) order by id for no key update`.execute(
    db,
  );
  const owners = await sql<
    Row<"converted_file", "study_id" | "owner_id" | "role" | "place">
  >`delete from converted_file where institution_id = ${store} and sha256 = ${sha256}
    returning study_id, owner_id, role, place`.execute(db);
  const isCoarseCopy = ({ role, place }: (typeof owners.rows)[number]) => role === "mesh" && place === coarseCopyPlace;
  const isOfArch = ({ role, place }: (typeof owners.rows)[number]) => role === "preview" && place === archImagesPlace;
  const needed = owners.rows.filter((row) => !isCoarseCopy(row) && !isOfArch(row));
  const coarse = owners.rows.filter(isCoarseCopy).map(({ owner_id }) => owner_id);
  await sql`update instance set model = model - 'coarseError'
    where institution_id = ${store} and id = any(${coarse}::uuid[])`.execute(db);
  // A de-identified copy is made again on request.
  await sql`delete from cleaned_file where institution_id = ${store} and sha256 = ${sha256}`.execute(db);
  const ids = needed.map(({ owner_id }) => owner_id);
  const instances = await sql<
    Row<"instance", "study_id">
  >`update instance set picture = null, model = null, thumbnail = nullif(thumbnail, ${sha256})
    where institution_id = ${store} and (id = any(${ids}::uuid[]) or thumbnail = ${sha256}) returning study_id`.execute(
    db,
  );
  const series = await sql<
    Row<"series", "study_id">
  >`update series set volume = null, preview = null, thumbnail = nullif(thumbnail, ${sha256})
    where institution_id = ${store} and (id = any(${ids}::uuid[]) or thumbnail = ${sha256}) returning study_id`.execute(
    db,
  );
  await sql`update study set thumbnail = null where institution_id = ${store} and thumbnail = ${sha256}`.execute(db);
  const studies = [...needed, ...series.rows, ...instances.rows].map(({ study_id }) => study_id);
  const { rows } = await sql<
    Row<"study", "id">
  >`update study set state = 'unconverted' where institution_id = ${store} and id = any(${studies}::uuid[])
    and state in ('ready', 'failed') and deleted_at is null returning id`.execute(db);
  return rows.map(({ id }) => id);
}
