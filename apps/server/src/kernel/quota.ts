import { sql } from "kysely";
import { capacityRules } from "@arcada/contract/capacity/capacity.calls";
import type { Db } from "./db.ts";

/** Analyses that an organisation may have, and those that it has had or has under way: the sums of its ledger beside the free base. */
export async function usedAnalyses(db: Db, iid: string): Promise<{ used: number; allowed: number }> {
  const { rows } = await sql<{ used: number; granted: number }>`select
      coalesce(sum(case kind when 'reserve' then amount when 'release' then -amount end), 0)::int as used,
      coalesce(sum(case kind when 'grant' then amount when 'expire' then -amount end), 0)::int as granted
    from quota_ledger where institution_id = ${iid}`.execute(db);
  const { used, granted } = rows[0]!;
  return { used, allowed: capacityRules.freeAnalyses + granted };
}
