import { sql, type Insertable, type Selectable } from "kysely";
import type { Database, Db } from "../../platform/database/database.ts";
import type { OrderDownloadTable } from "../../tables/schema.generated.ts";
import type { NamedFile } from "../core/order.read.ts";
import type { Column, Row } from "../../tables/row.ts";

type DownloadRow = Selectable<OrderDownloadTable>;

export async function insertDownload(db: Db, row: Insertable<OrderDownloadTable>): Promise<void> {
  await db.insertInto("order_download").values(row).execute();
}

export const findDownload = (db: Db, iid: string, id: string): Promise<DownloadRow | undefined> =>
  db.selectFrom("order_download").selectAll().where("institution_id", "=", iid).where("id", "=", id).executeTakeFirst();

/** Removes downloads that were prepared more than a day ago; their addresses stop working. */
export const deleteExpiredDownloads = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    await sql`delete from order_download where created_at < now() - interval '1 day'`.execute(db);
  });

/** A file of a volume. */
export type Slice = Row<"instance", "place" | "name" | "sha256" | "bytes"> &
  Row<"study", "created_at"> & { study_id: Column<"study", "id">; series: Column<"series", "place"> };
/** Returns the files of these volumes in order; none of a study in the bin. */
export async function readSlices(db: Db, volumes: readonly NamedFile[]): Promise<Slice[]> {
  if (volumes.length === 0) return [];
  const { rows } = await sql<Slice>`
    select s.id as study_id, r.place as series, i.place, i.name, i.sha256, i.bytes, s.created_at
    from study s join series r on r.institution_id = s.institution_id and r.study_id = s.id
    join instance i on i.institution_id = r.institution_id and i.series_id = r.id
    where s.institution_id = ${volumes[0]!.owner_id} and s.id = any(${volumes.map(({ id }) => id)}::uuid[])
      and s.deleted_at is null
    order by s.id, r.place, i.place, i.id`.execute(db);
  return rows;
}

/** Returns the parts of its order that a link shows; undefined: the link does not exist any more. */
export async function readSharedParts(
  db: Db,
  share: string,
): Promise<{ nameless: boolean; pictures: boolean; revisions: string[]; may_download: boolean } | undefined> {
  const { rows } = await sql<Row<"share", "nameless" | "pictures" | "revisions" | "may_download">>`
    select nameless, pictures, revisions, may_download from share where id = ${share} and kind = 'order'`.execute(db);
  return rows[0];
}
