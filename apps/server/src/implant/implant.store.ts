import { sql } from "kysely";
import type { ImplantLibrary } from "@arcada/contract/implant/implant-library.schema";
import type { PlanDocumentKind } from "@arcada/contract/implant/implant.calls";
import type { Db } from "../platform/database/database.ts";

export const listLibraries = (db: Db, iid: string) =>
  db
    .selectFrom("implant_library as l")
    .innerJoin("users as u", "u.id", "l.imported_by")
    .select(["l.id", "l.content as library", "u.nick_name as importedBy", "l.imported_at as importedAt"])
    .where("l.institution_id", "=", iid)
    .orderBy("l.name")
    .execute();

/** Inserts a library, or replaces the one of the same name, which keeps its id. */
export const putLibrary = (db: Db, owner: { iid: string; uid: string }, id: string, library: ImplantLibrary) =>
  db
    .insertInto("implant_library")
    .values({
      institution_id: owner.iid,
      id,
      name: library.name,
      content: JSON.stringify(library),
      imported_by: owner.uid,
    })
    .onConflict((conflict) =>
      conflict.columns(["institution_id", "name"]).doUpdateSet((row) => ({
        content: row.ref("excluded.content"),
        imported_by: row.ref("excluded.imported_by"),
        imported_at: sql<string>`now()`,
      })),
    )
    .returning("id")
    .executeTakeFirstOrThrow();

export async function removeLibrary(db: Db, iid: string, id: string): Promise<boolean> {
  const [done] = await db
    .deleteFrom("implant_library")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  return done?.numDeletedRows === 1n;
}

/** The study of a plan, with the patient and the institution that its report names. */
export const findPlannedStudy = (db: Db, iid: string, studyId: string) =>
  db
    .selectFrom("study as s")
    .innerJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "s.institution_id").onRef("p.id", "=", "s.patient_id"),
    )
    .innerJoin("institution as i", "i.id", "s.institution_id")
    .leftJoin("study_marks as m", (join) =>
      join.onRef("m.institution_id", "=", "s.institution_id").onRef("m.study_id", "=", "s.id"),
    )
    .select([
      "s.id",
      "s.patient_id as patientId",
      "s.taken_at as takenAt",
      "s.description",
      "s.modality",
      "p.name as patientName",
      "p.number as patientNumber",
      "p.birth_date as birthDate",
      "i.name as institution",
      "i.time_zone",
      "i.country",
      "m.version as marksVersion",
    ])
    .where("s.institution_id", "=", iid)
    .where("s.id", "=", studyId)
    .where("s.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .executeTakeFirst();
export type PlannedStudy = NonNullable<Awaited<ReturnType<typeof findPlannedStudy>>>;

export interface NewDocument {
  id: string;
  kind: PlanDocumentKind;
  reportId: string | null;
  name: string;
  sha256: string;
  bytes: number;
  content: Record<string, unknown>;
}

export const insertDocuments = (
  db: Db,
  of: { iid: string; uid: string; studyId: string; version: number },
  documents: readonly NewDocument[],
) =>
  db
    .insertInto("implant_document")
    .values(
      documents.map(({ reportId, content, ...one }) => ({
        ...one,
        institution_id: of.iid,
        study_id: of.studyId,
        report_id: reportId,
        marks_version: of.version,
        content: JSON.stringify(content),
        made_by: of.uid,
      })),
    )
    .execute();

const documents = (db: Db, iid: string, studyId: string) =>
  db
    .selectFrom("implant_document as d")
    .innerJoin("users as u", "u.id", "d.made_by")
    .select(["d.id", "d.kind", "d.name", "d.bytes", "d.sha256", "d.marks_version", "d.report_id"])
    .select(["d.made_at as madeAt", "u.nick_name as madeBy"])
    .where("d.institution_id", "=", iid)
    .where("d.study_id", "=", studyId)
    .orderBy("d.made_at", "desc")
    .orderBy("d.name");

export const listDocuments = (db: Db, iid: string, studyId: string) =>
  documents(db, iid, studyId).where("d.kind", "<>", "picture").limit(100).execute();
export type DocumentRow = Awaited<ReturnType<typeof listDocuments>>[number];

/** They state the patient of whom they were made: they count as outdated, and go into no order. */
export const outdateDocuments = (db: Db, iid: string, studyId: string) =>
  db
    .updateTable("implant_document")
    .set({ marks_version: -1 })
    .where("institution_id", "=", iid)
    .where("study_id", "=", studyId)
    .execute();

/** The newest report with its pictures, and the newest guide. */
export async function listNewestDocuments(db: Db, iid: string, studyId: string): Promise<DocumentRow[]> {
  const made = await listDocuments(db, iid, studyId);
  const report = made.find(({ kind }) => kind === "report");
  const guide = made.find(({ kind }) => kind === "guide");
  const pictures = report
    ? await documents(db, iid, studyId).where("d.report_id", "=", report.id).limit(100).execute()
    : [];
  return [...(report ? [report] : []), ...pictures, ...(guide ? [guide] : [])];
}
