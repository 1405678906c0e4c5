import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { DataImport, DataExport } from "@arcada/contract/data-export/data-export.calls";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { ArrivalTable, TakingTable } from "../tables/schema.generated.ts";

export type ExportJobRow = Selectable<TakingTable>;
export type ImportJobRow = Selectable<ArrivalTable>;

export const findExport = (db: Db, iid: string, id: string) =>
  db.selectFrom("taking").selectAll().where("institution_id", "=", iid).where("id", "=", id).executeTakeFirst();

/** False: one runs already. */
export async function insertExport(
  db: Db,
  row: Pick<ExportJobRow, "institution_id" | "id" | "language" | "created_by">,
): Promise<boolean> {
  const made = await db
    .insertInto("taking")
    .values({ ...row, kind: "everything" })
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
        expires_at: sql<string>`now() + make_interval(days => ${dataExportRules.days}::int)`,
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

export const findImport = (db: Db, id: string) =>
  db.selectFrom("arrival").selectAll().where("id", "=", id).executeTakeFirst();

export async function updateImport(
  db: Db,
  id: string,
  from: readonly DataImport["state"][],
  change: Partial<Pick<ImportJobRow, "state" | "progress" | "sha256" | "found" | "refusal">>,
): Promise<boolean> {
  const isOver = ["done", "failed", "cancelled"].includes(change.state ?? "");
  const { found, ...same } = change;
  const moved = await db
    .updateTable("arrival")
    .set({
      ...same,
      ...(found !== undefined && { found: sql`${JSON.stringify(found)}::jsonb` }),
      ...(isOver && { finished_at: sql<string>`now()` }),
    })
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}
