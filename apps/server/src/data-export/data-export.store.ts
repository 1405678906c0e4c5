import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { DataImport } from "@arcada/contract/data-export/data-export.calls";
import type { Db } from "../platform/database/database.ts";
import type { ArrivalTable } from "../tables/schema.generated.ts";

export type ImportJobRow = Selectable<ArrivalTable>;

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
