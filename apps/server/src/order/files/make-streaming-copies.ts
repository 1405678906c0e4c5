import { sql } from "kysely";
import { coarseCopyThreshold } from "@arcada/imaging/surface/coarse-copy";
import type { MeshFormat } from "@arcada/imaging/mesh/read-mesh";
import { requestCoarseCopy } from "../../domain/coarse-copy-queue.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { files, jobs } from "../../platform/runtime/services.ts";
import { makeStreamingCopy } from "./mesh-check.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";

const queue = defineQueue<StreamingCopyJob>("order.glb");

interface StreamingCopyJob {
  iid: string;
  original: string;
  kind: MeshFormat;
}

/** Requests a streaming copy of a scan, unless one of the same bytes exists. */
export async function requestStreamingCopy(db: Db, job: StreamingCopyJob): Promise<void> {
  const { iid, original } = job;
  const made = await db
    .selectFrom("order_glb")
    .select("sha256")
    .where("institution_id", "=", iid)
    .where("original", "=", original)
    .where("sha256", "is not", null)
    .executeTakeFirst();
  if (!made) await jobs().send(db, queue, job, { singletonKey: `${iid} ${original}`, group: iid });
}

/**
 * Streaming copies expire after their last use; expired ones are made again when an order with their scans is opened.
 */
export async function refreshStreamingCopies(db: Db, orderId: string): Promise<void> {
  const ofOrder = sql`from order_file f join order_glb g on g.institution_id = f.owner_id and g.original = f.sha256
    where f.order_id = ${orderId} and f.study_id is null`;
  const expired = await bypassTenantScope(db, async () => {
    await sql`update order_glb set used_at = now() where used_at < now() - interval '1 day'
      and (institution_id, original) in (select g.institution_id, g.original ${ofOrder})`.execute(db);
    return sql<StreamingCopyJob>`select distinct f.owner_id as iid, f.sha256 as original, f.content as kind ${ofOrder} and g.sha256 is null`.execute(
      db,
    );
  });
  for (const job of expired.rows) await requestStreamingCopy(db, job);
}

export const registerStreamingCopyJob = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work(queue, (job) => storeStreamingCopy(database, job));

async function storeStreamingCopy(database: Database, { iid, original, kind }: StreamingCopyJob): Promise<void> {
  if ((await files().bytes("originals", iid, original)) === null) return;
  const glb = await files().local("originals", iid, original, (path) => makeStreamingCopy(path, kind));
  if (!glb) return;
  const { sha256 } = await files().put("converted", iid, glb.bytes);
  const made = { sha256, error: glb.error, coarse_sha256: null, coarse_error: null };
  await database.asSystem(async (db) => {
    await db
      .insertInto("order_glb")
      .values({ institution_id: iid, original, ...made })
      .onConflict((conflict) =>
        conflict.columns(["institution_id", "original"]).doUpdateSet({
          ...made,
          // A repeated job makes the same copy, whose coarse copy is still right.
          coarse_sha256: sql`case when order_glb.sha256 = excluded.sha256 then order_glb.coarse_sha256 end`,
          coarse_error: sql`case when order_glb.sha256 = excluded.sha256 then order_glb.coarse_error end`,
          used_at: sql`now()`,
        }),
      )
      .execute();
    if (glb.triangles > coarseCopyThreshold) await requestCoarseCopy(db, { iid, glb: sha256, scan: { original } });
  });
}
