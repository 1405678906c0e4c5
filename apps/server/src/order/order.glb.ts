import type { MeshKind } from "@arcada/imaging/mesh/read";
import type { Database, Db } from "../kernel/db.ts";
import type { Jobs } from "../kernel/jobs.ts";
import { files, jobs } from "../kernel/services.ts";
import { lightCopy } from "./mesh-check.ts";

interface Wish {
  iid: string;
  original: string;
  kind: MeshKind;
}

/** Asks for a light copy of a scan, unless there is one of the same bytes. */
export async function wantGlb(db: Db, wish: Wish): Promise<void> {
  const { iid, original } = wish;
  const made = await db
    .selectFrom("order_glb")
    .select("sha256")
    .where("institution_id", "=", iid)
    .where("original", "=", original)
    .executeTakeFirst();
  if (!made) await jobs().send(db, "order.glb", wish, { singletonKey: `${iid} ${original}` });
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
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}
