import type { Insertable, Selectable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { OrderTemplateTable } from "../../tables/schema.generated.ts";

export type TemplateRow = Selectable<OrderTemplateTable>;

/** Row-level security shows a user the clinic's shared templates and their own. */
export const readTemplates = (db: Db, iid: string): Promise<TemplateRow[]> =>
  db.selectFrom("order_template").selectAll().where("institution_id", "=", iid).orderBy("name").orderBy("id").execute();

export const lockTemplate = (db: Db, iid: string, id: string): Promise<TemplateRow | undefined> =>
  db
    .selectFrom("order_template")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** The lab's default of the same people steps back for another one. */
export async function clearOtherDefaults(db: Db, row: Omit<TemplateRow, "updated_at">): Promise<void> {
  const all = db
    .updateTable("order_template")
    .set({ is_default: false })
    .where("institution_id", "=", row.institution_id)
    .where("target_id", "=", row.target_id)
    .where("for_all", "=", row.for_all)
    .where("id", "<>", row.id);
  await (row.for_all ? all : all.where("user_id", "=", row.user_id)).execute();
}

export const saveTemplate = (db: Db, row: Insertable<OrderTemplateTable>): Promise<TemplateRow> =>
  db
    .insertInto("order_template")
    .values(row)
    .onConflict((found) =>
      found.columns(["institution_id", "id"]).doUpdateSet((now) => ({
        name: now.ref("excluded.name"),
        for_all: now.ref("excluded.for_all"),
        target_id: now.ref("excluded.target_id"),
        is_default: now.ref("excluded.is_default"),
        content: now.ref("excluded.content"),
        updated_at: new Date().toISOString(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteTemplate = (db: Db, { institution_id: iid, id }: TemplateRow) =>
  db.deleteFrom("order_template").where("institution_id", "=", iid).where("id", "=", id).execute();
