import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { freeQuota } from "../platform/runtime/services.ts";
import type { FreeQuota } from "../platform/runtime/services.ts";

/** Returns the free base of an institution: that which the operator set, or that of the settings. */
export async function readQuota(db: Db, iid: string): Promise<FreeQuota> {
  const set = await db
    .selectFrom("institution_quota")
    .select(["gigabytes", "analyses"])
    .where("institution_id", "=", iid)
    .executeTakeFirst();
  return set ?? freeQuota();
}

/** Sets the free base of an institution; null leaves a value as it is. Returns the base from now on. */
export async function setQuota(
  db: Db,
  iid: string,
  { gigabytes, analyses }: { [K in keyof FreeQuota]: FreeQuota[K] | null },
): Promise<FreeQuota> {
  const free = freeQuota();
  return db
    .insertInto("institution_quota")
    .values({ institution_id: iid, gigabytes: gigabytes ?? free.gigabytes, analyses: analyses ?? free.analyses })
    .onConflict((conflict) =>
      conflict.column("institution_id").doUpdateSet({
        ...(gigabytes !== null && { gigabytes }),
        ...(analyses !== null && { analyses }),
        changed_at: sql<string>`now()`,
      }),
    )
    .returning(["gigabytes", "analyses"])
    .executeTakeFirstOrThrow();
}
