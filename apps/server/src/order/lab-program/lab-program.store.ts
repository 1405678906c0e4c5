import { sql, type Insertable } from "kysely";
import type { LabWord } from "@arcada/contract/order/lab-program.calls";
import type { Db } from "../../platform/database/database.ts";
import type { OrderLabTemplateTable } from "../../tables/schema.generated.ts";

/** Row-level security shows a laboratory's words to itself and to the organisations that are connected with it. */
export const findLabWords = (db: Db, labId: string) =>
  db.selectFrom("order_lab_words").select(["words", "version"]).where("institution_id", "=", labId).executeTakeFirst();

/** Replaces the words if they still have this version, 0 for none; returns whether they had. */
export async function saveLabWords(
  db: Db,
  owner: { iid: string; uid: string },
  words: readonly LabWord[],
  version: number,
): Promise<boolean> {
  const values = { words: JSON.stringify(words), saved_by: owner.uid };
  if (version === 0) {
    const [made] = await db
      .insertInto("order_lab_words")
      .values({ institution_id: owner.iid, ...values })
      .onConflict((known) => known.doNothing())
      .execute();
    return made?.numInsertedOrUpdatedRows === 1n;
  }
  const [changed] = await db
    .updateTable("order_lab_words")
    .set({ ...values, version: version + 1, saved_at: new Date().toISOString() })
    .where("institution_id", "=", owner.iid)
    .where("version", "=", version)
    .execute();
  return changed?.numUpdatedRows === 1n;
}

export const describeLabTemplate = (db: Db, iid: string) =>
  db
    .selectFrom("order_lab_template as t")
    .innerJoin("users as u", "u.id", "t.added_by")
    .select([
      "t.name",
      sql<number>`octet_length(t.content)`.as("bytes"),
      "t.has_materials",
      "t.kinds",
      "u.nick_name as addedBy",
      "t.added_at",
    ])
    .where("t.institution_id", "=", iid)
    .executeTakeFirst();

export const readLabTemplate = (db: Db, iid: string): Promise<{ content: string } | undefined> =>
  db.selectFrom("order_lab_template").select("content").where("institution_id", "=", iid).executeTakeFirst();

export const putLabTemplate = (db: Db, row: Insertable<OrderLabTemplateTable>) =>
  db
    .insertInto("order_lab_template")
    .values(row)
    .onConflict((known) =>
      known.column("institution_id").doUpdateSet((now) => ({
        name: now.ref("excluded.name"),
        content: now.ref("excluded.content"),
        has_materials: now.ref("excluded.has_materials"),
        kinds: now.ref("excluded.kinds"),
        added_by: now.ref("excluded.added_by"),
        added_at: new Date().toISOString(),
      })),
    )
    .execute();

export const deleteLabTemplate = (db: Db, iid: string) =>
  db.deleteFrom("order_lab_template").where("institution_id", "=", iid).execute();
