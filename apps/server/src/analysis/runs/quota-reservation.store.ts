import { sql } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { readAnalysisPools } from "../../domain/analysis-quota.ts";
import { refuse } from "../../platform/http/refuse.ts";

/**
 * Reserves the cost of an analysis from the remaining quota; refuses `analysisQuota`. Two parallel requests for the
 * last analysis wait for each other.
 */
export async function reserveQuota(db: Db, iid: string, analysis: string, cost: number): Promise<void> {
  if (cost === 0) return;
  await bypassTenantScope(db, async () => {
    // No key of the row changes, so inserts of rows that refer to the institution do not wait.
    await sql`select from institution where id = ${iid} for no key update`.execute(db);
    const pools = (await readAnalysisPools(db, iid)).map(({ period, amount, used }) => ({
      period,
      left: amount - used,
    }));
    const left = pools.reduce((sum, pool) => sum + pool.left, 0);
    if (cost > left) refuse("analysisQuota", { left: Math.max(0, left) });
    const period = pools.find((pool) => pool.left > 0)!.period;
    await insertLedgerEntry(db, { iid, analysis, period }, "reserve", cost);
  });
}

/** Ends a reservation: it was used, or it is returned. */
export const settleQuota = async (
  db: Db,
  { institution_id: iid, id, cost }: { institution_id: string; id: string; cost: number },
  kind: "commit" | "release",
): Promise<void> =>
  cost === 0
    ? undefined
    : bypassTenantScope(db, () => insertLedgerEntry(db, { iid, analysis: id, period: null }, kind, cost));

async function insertLedgerEntry(
  db: Db,
  { iid, analysis, period }: { iid: string; analysis: string; period: string | null },
  kind: "reserve" | "commit" | "release",
  amount: number,
): Promise<void> {
  await db
    .insertInto("quota_ledger")
    .values({ institution_id: iid, analysis_id: analysis, kind, source: null, amount, period_id: period })
    .execute();
}
