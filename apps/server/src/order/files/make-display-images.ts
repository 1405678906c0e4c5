import { sql } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { copyImage, imageKinds, imageSides } from "../../platform/storage/image-copy.ts";
import { files, jobs } from "../../platform/runtime/services.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";
import type { Column, Row } from "../../tables/row.ts";

const queue = defineQueue<DisplayImageJob>("order.pictures");

type DisplayImageJob = { iid: Column<"order_file", "owner_id">; original: Column<"order_file", "sha256"> };

/** Requests the display images of an image. */
export const requestDisplayImages = (db: Db, { iid, original }: DisplayImageJob): Promise<unknown> =>
  jobs().send(db, queue, { iid, original }, { singletonKey: `${iid} ${original}`, group: iid });

/**
 * Requests images that were lost, or were left behind when the institution moved here, again when the order is opened.
 */
export async function requestMissingDisplayImages(db: Db, orderId: string): Promise<void> {
  const missing = await bypassTenantScope(db, () =>
    sql<DisplayImageJob>`select distinct f.owner_id as iid, f.sha256 as original from order_file f
      where f.order_id = ${orderId} and f.study_id is null and f.content = any(${[...imageKinds]}::text[])
        and f.created_at < now() - interval '5 minutes' and not exists (
          select from order_picture p where p.institution_id = f.owner_id and p.original = f.sha256)`.execute(db),
  );
  for (const job of missing.rows) await requestDisplayImages(db, job);
}

export const registerDisplayImageJob = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work(queue, (job) => storeDisplayImages(database, job));

async function storeDisplayImages(database: Database, { iid, original }: DisplayImageJob): Promise<void> {
  if ((await files().bytes("originals", iid, original)) === null) return;
  for (const side of Object.values(imageSides)) {
    const copy = await files().local("originals", iid, original, (path) => copyImage({ path, side, as: "webp" }));
    if (!copy) return;
    const { sha256 } = await files().put("converted", iid, copy.bytes);
    await database.asSystem((db) =>
      db
        .insertInto("order_picture")
        .values({ institution_id: iid, original, side, sha256 })
        .onConflict((conflict) => conflict.columns(["institution_id", "original", "side"]).doUpdateSet({ sha256 }))
        .execute(),
    );
  }
  await database.asSystem((db) => notifyOrders(db, { iid, original }));
}

/** Open pages show the image as soon as it exists. */
async function notifyOrders(db: Db, { iid, original }: DisplayImageJob): Promise<void> {
  const { rows } = await sql<
    Row<"orders", "id"> & { sender: Column<"orders", "institution_id">; receiver: Column<"orders", "receiver_id"> }
  >`
    select distinct o.id, o.institution_id as sender, case when o.handed_over_at is null then null else o.receiver_id end as receiver
    from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
    where f.owner_id = ${iid} and f.sha256 = ${original}`.execute(db);
  for (const { id, sender, receiver } of rows)
    await notifyClients(db, { institutions: [sender, receiver] }, "order", id);
}
