import { sql } from "kysely";
import { listRules } from "@arcada/contract/order/order-list.filter";
import type { SavedOrderView } from "@arcada/contract/order/order-list.calls";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { Row } from "../../tables/row.ts";

interface Owner {
  iid: string;
  uid: string;
}

type SavedViewRow = Row<"order_look", "id" | "name" | "filter" | "columns" | "standard">;

/** Returns a person's own views of the list; the row without a name contains the columns that they saw last. */
export async function readSavedViews(
  db: Db,
  { iid, uid }: Owner,
): Promise<{ looks: SavedOrderView[]; columns: SavedViewRow["columns"] }> {
  const { rows } = await sql<SavedViewRow>`select id, name, filter, columns, standard from order_look
    where institution_id = ${iid} and user_id = ${uid} order by name collate "C"`.execute(db);
  return {
    looks: rows.flatMap((row) => (row.name === null ? [] : [{ ...row, name: row.name }])),
    columns: rows.find(({ name }) => name === null)?.columns ?? null,
  };
}

/** Overwrites a view of the same name; there is at most one default view. */
export async function saveView(db: Db, { iid, uid }: Owner, view: Omit<SavedOrderView, "id">): Promise<SavedOrderView> {
  const { looks: views } = await readSavedViews(db, { iid, uid });
  if (views.length >= listRules.maxViews && views.every(({ name }) => name !== view.name))
    return refuse("orderLooksMany", { most: listRules.maxViews });
  if (view.standard)
    await sql`update order_look set standard = false where institution_id = ${iid} and user_id = ${uid} and standard`.execute(
      db,
    );
  const { rows } = await sql<Row<"order_look", "id">>`
    insert into order_look (institution_id, user_id, id, name, filter, columns, standard)
    values (${iid}, ${uid}, ${newId()}, ${view.name}, ${JSON.stringify(view.filter)}::jsonb, ${view.columns}::text[], ${view.standard})
    on conflict (institution_id, user_id, name) do update
      set filter = excluded.filter, columns = excluded.columns, standard = excluded.standard returning id`.execute(db);
  return { ...view, id: rows[0]!.id };
}

export async function deleteView(db: Db, { iid, uid }: Owner, id: string): Promise<void> {
  const deleted = await sql`delete from order_look where institution_id = ${iid} and user_id = ${uid} and id = ${id}
    and name is not null`.execute(db);
  if (deleted.numAffectedRows !== 1n) refuse("notFound");
}

export const saveColumns = (db: Db, { iid, uid }: Owner, columns: SavedOrderView["columns"]): Promise<unknown> =>
  sql`insert into order_look (institution_id, user_id, id, columns) values (${iid}, ${uid}, ${newId()}, ${columns}::text[])
    on conflict (institution_id, user_id, name) do update set columns = excluded.columns`.execute(db);
