import { sql } from "kysely";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Db } from "../platform/database/database.ts";

export interface Quota {
  gigabytes: number;
  analyses: number;
}

/** Sets the free base of an institution; null leaves a value as it is. Returns the base from now on. */
export async function setQuota(
  db: Db,
  iid: string,
  { gigabytes, analyses }: { [K in keyof Quota]: Quota[K] | null },
): Promise<Quota> {
  const { freeGigabytes, freeAnalyses } = capacityRules;
  const { rows } = await sql<Quota>`insert into institution_quota as q (institution_id, gigabytes, analyses)
    values (${iid}, ${gigabytes ?? freeGigabytes}, ${analyses ?? freeAnalyses})
    on conflict (institution_id) do update set gigabytes = coalesce(${gigabytes}::int, q.gigabytes),
      analyses = coalesce(${analyses}::int, q.analyses), changed_at = now()
    returning gigabytes, analyses`.execute(db);
  return rows[0]!;
}
