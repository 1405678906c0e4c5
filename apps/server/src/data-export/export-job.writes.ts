import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { DataExport } from "@arcada/contract/data-export/data-export.calls";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import type { FhirExportRequest } from "@arcada/contract/data-export/fhir-export-request";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { markUnneeded } from "../platform/storage/blob-references.ts";
import type { TakingFileTable, TakingTable } from "../tables/schema.generated.ts";

export type ExportJobRow = Selectable<TakingTable>;
export type ExportFile = Pick<Selectable<TakingFileTable>, "place" | "type" | "sha256" | "bytes" | "lines">;

export const findExport = (db: Db, iid: string, id: string) =>
  db.selectFrom("taking").selectAll().where("institution_id", "=", iid).where("id", "=", id).executeTakeFirst();

/** False: one runs already. */
export async function insertExport(
  db: Db,
  row: Pick<ExportJobRow, "institution_id" | "id" | "language" | "created_by">,
  kind: "everything" | "fhir" = "everything",
  request: FhirExportRequest | null = null,
): Promise<boolean> {
  const made = await db
    .insertInto("taking")
    .values({ ...row, kind, request: request && JSON.stringify(request) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}

/** False: it was cancelled in the meantime. */
export async function updateExport(
  db: Db,
  { iid, id }: { iid: string; id: string },
  from: readonly DataExport["state"][],
  change: Partial<Pick<ExportJobRow, "state" | "progress" | "sha256" | "bytes" | "refusal">>,
): Promise<boolean> {
  const isOver = change.state !== undefined && !["waiting", "running"].includes(change.state);
  const moved = await db
    .updateTable("taking")
    .set({
      ...change,
      ...(isOver && { finished_at: sql<string>`now()` }),
      ...(change.state === "done" && {
        expires_at: sql<string>`now() + make_interval(days => case when kind = 'fhir' then ${dataExportRules.fhirDays}::int else ${dataExportRules.days}::int end)`,
      }),
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) return false;
  await notifyClients(db, { institutions: [iid] }, "institution", id);
  return true;
}

/** Ends all FHIR exports of an organisation but the newest finished ones: programs could fill the storage with them. */
export async function expireOlderExports(db: Db, iid: string, kept: number): Promise<void> {
  const finished = await db
    .selectFrom("taking")
    .select("id")
    .where("institution_id", "=", iid)
    .where("kind", "=", "fhir")
    .where("state", "=", "done")
    .orderBy("id", "desc")
    .execute();
  for (const { id } of finished.slice(kept)) {
    await updateExport(db, { iid, id }, ["done"], { state: "expired" });
    await dropExportFiles(db, iid, id);
  }
}

/** Adds a file of an export that has several. */
export const insertExportFile = (db: Db, { iid, id }: { iid: string; id: string }, file: ExportFile) =>
  db
    .insertInto("taking_file")
    .values({ ...file, institution_id: iid, taking_id: id })
    .execute();

export const listExportFiles = (db: Db, iid: string, id: string): Promise<ExportFile[]> =>
  db
    .selectFrom("taking_file")
    .select(["place", "type", "sha256", "bytes", "lines"])
    .where("institution_id", "=", iid)
    .where("taking_id", "=", id)
    .orderBy("place")
    .execute();

/** Forgets the files of an export, so that their contents are deleted unless something else refers to them. */
export async function dropExportFiles(db: Db, iid: string, id: string): Promise<void> {
  const dropped = await db
    .deleteFrom("taking_file")
    .where("institution_id", "=", iid)
    .where("taking_id", "=", id)
    .returning("sha256")
    .execute();
  if (dropped.length === 0) return;
  await markUnneeded(
    db,
    iid,
    dropped.map(({ sha256 }) => ({ area: "converted", sha256 })),
  );
}
