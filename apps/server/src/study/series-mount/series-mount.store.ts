import { sql } from "kysely";
import { layoutsForKind, mountKinds, type MountKind } from "@arcada/contract/study/mount-layouts";
import { maxMountImages, type MountImage } from "@arcada/contract/study/series-mount.calls";
import type { Db } from "../../platform/database/database.ts";
import { buildThumbnailUrl, type SignFile } from "../study.view.ts";
import type { Column, Row } from "../../tables/row.ts";

type MountRow = Row<"film_mount", "version" | "layout" | "films" | "turns">;
type SavedMount = MountRow & { savedAt: Column<"film_mount", "saved_at"> | null };

export async function findMount(db: Db, iid: string, patientId: string, kind: MountKind): Promise<SavedMount> {
  const { rows } =
    await sql<SavedMount>`select version, layout, films, turns, saved_at as "savedAt" from film_mount where institution_id = ${iid} and patient_id = ${patientId} and kind = ${kind}`.execute(
      db,
    );
  return rows[0] ?? { version: 0, layout: layoutsForKind(kind)[0]!, films: {}, turns: {}, savedAt: null };
}

type MountImageRow = Row<"instance", "id" | "name" | "thumbnail"> & {
  studyId: Column<"study", "id">;
  takenAt: Column<"study", "taken_at">;
  createdAt: Column<"study", "created_at">;
  photoView: Column<"study", "photo_view">;
};

/** Returns the images of a patient that may be placed in a mount and are fully imported, newest first. */
export async function listMountableImages(
  db: Db,
  iid: string,
  patientId: string,
  kind: MountKind,
  sign: SignFile,
): Promise<MountImage[]> {
  const { rows } = await sql<MountImageRow>`select i.id, s.id as "studyId", i.name, s.taken_at as "takenAt",
    s.created_at as "createdAt", s.photo_view as "photoView", i.thumbnail from study s
    join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.picture is not null
    where s.institution_id = ${iid} and s.patient_id = ${patientId} and s.kind = ${mountKinds[kind]} and s.deleted_at is null
    order by coalesce(s.taken_at, s.created_at) desc, i.place, i.id limit ${maxMountImages}`.execute(db);
  return rows.map(({ thumbnail, ...film }) => ({ ...film, thumbnailUrl: buildThumbnailUrl(iid, thumbnail, sign) }));
}

interface MountInput extends Omit<MountRow, "turns"> {
  /** Absent: as they were. */
  turns: MountRow["turns"] | undefined;
  iid: string;
  patientId: string;
  kind: MountKind;
  uid: string;
}

/** Returns the new version; null if another save came first. */
export async function saveSeriesMount(
  db: Db,
  { iid, patientId, kind, uid, version, layout, films, turns }: MountInput,
): Promise<number | null> {
  const turned = turns ? JSON.stringify(turns) : null;
  const { rows } = await sql<Row<"film_mount", "version">>`
    insert into film_mount (institution_id, patient_id, kind, version, layout, films, turns, saved_by)
    select ${iid}, ${patientId}, ${kind}, 1, ${layout}, ${JSON.stringify(films)}::jsonb, coalesce(${turned}::jsonb, '{}'), ${uid} where ${version}::int = 0
      or exists (select from film_mount where institution_id = ${iid} and patient_id = ${patientId} and kind = ${kind})
    on conflict (institution_id, patient_id, kind) do update
      set version = film_mount.version + 1, layout = excluded.layout, films = excluded.films,
        turns = coalesce(${turned}::jsonb, film_mount.turns), saved_by = excluded.saved_by, saved_at = now()
      where film_mount.version = ${version}
    returning version`.execute(db);
  return rows[0]?.version ?? null;
}
