import { sql } from "kysely";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Db } from "../platform/database/database.ts";

export interface Quota {
  gigabytes: number;
  analyses: number;
}

/** Returns the free base of an institution: that which the operator set, or the product's own. */
export async function readQuota(db: Db, iid: string): Promise<Quota> {
  const set = await db
    .selectFrom("institution_quota")
    .select(["gigabytes", "analyses"])
    .where("institution_id", "=", iid)
    .executeTakeFirst();
  return set ?? { gigabytes: capacityRules.freeGigabytes, analyses: capacityRules.freeAnalyses };
}

/** Sets the free base of an institution; null leaves a value as it is. Returns the base from now on. */
export async function setQuota(
  db: Db,
  iid: string,
  { gigabytes, analyses }: { [K in keyof Quota]: Quota[K] | null },
): Promise<Quota> {
  const { freeGigabytes, freeAnalyses } = capacityRules;
  return db
    .insertInto("institution_quota")
    .values({ institution_id: iid, gigabytes: gigabytes ?? freeGigabytes, analyses: analyses ?? freeAnalyses })
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
