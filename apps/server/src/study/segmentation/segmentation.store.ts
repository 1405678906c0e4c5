import type { Db } from "../../platform/database/database.ts";
import type { StudyRecord } from "../study.store.ts";

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
