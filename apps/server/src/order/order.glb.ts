import { sql } from "kysely";
import type { MeshKind } from "@arcada/imaging/mesh/read";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { files, jobs } from "../platform/runtime/services.ts";
import { lightCopy } from "./mesh-check.ts";

interface Wish {
  iid: string;
  original: string;
  kind: MeshKind;
}

/** Requests a streaming copy of a scan, unless one of the same bytes exists. */
export async function wantGlb(db: Db, wish: Wish): Promise<void> {
  const { iid, original } = wish;
  const made = await db
    .selectFrom("order_glb")
    .select("sha256")
    .where("institution_id", "=", iid)
    .where("original", "=", original)
    .where("sha256", "is not", null)
    .executeTakeFirst();
  if (!made) await jobs().send(db, "order.glb", wish, { singletonKey: `${iid} ${original}` });
}

/**
 * Streaming copies expire after their last use; expired ones are made again when an order with their scans is opened.
 */
export async function keepGlbs(db: Db, orderId: string): Promise<void> {
  const ofOrder = sql`from order_file f join order_glb g on g.institution_id = f.owner_id and g.original = f.sha256
    where f.order_id = ${orderId} and f.study_id is null`;
  const gone = await bypassTenantScope(db, async () => {
    await sql`update order_glb set used_at = now() where used_at < now() - interval '1 day'
      and (institution_id, original) in (select g.institution_id, g.original ${ofOrder})`.execute(db);
    return sql<Wish>`select distinct f.owner_id as iid, f.sha256 as original, f.content as kind ${ofOrder} and g.sha256 is null`.execute(
      db,
    );
  });
  for (const wish of gone.rows) await wantGlb(db, wish);
}

export const registerOrderGlb = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work<Wish>("order.glb", (wish) => makeGlb(database, wish));

async function makeGlb(database: Database, { iid, original, kind }: Wish): Promise<void> {
  if ((await files().bytes("originals", iid, original)) === null) return;
  const glb = await files().local("originals", iid, original, (path) => lightCopy(path, kind));
  if (!glb) return;
  const { sha256 } = await files().put("converted", iid, glb.bytes);
  await database.asSystem((db) =>
    db
      .insertInto("order_glb")
      .values({ institution_id: iid, original, sha256, error: glb.error })
      .onConflict((conflict) =>
        conflict.columns(["institution_id", "original"]).doUpdateSet({ sha256, error: glb.error, used_at: sql`now()` }),
      )
      .execute(),
  );
}
