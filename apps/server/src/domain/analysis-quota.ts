import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { isPeriodActive } from "../platform/upload/storage-quota.ts";
import { freeQuota } from "../platform/runtime/services.ts";
import type { Db } from "../platform/database/database.ts";

// Each term of a subscription has its own analyses: reservations of the previous term expire with it.
const termStart = sql`p.starts_at + make_interval(secs => floor(extract(epoch from now() - p.starts_at) / (p.days * 86400.0)) * p.days * 86400.0)`;

interface AnalysisPool {
  /** Null: the free base. */
  period: string | null;
  amount: number;
  used: number;
}

/** Returns the pools of an institution's analyses in the order in which they are used up: the free base is the last. */
export async function readAnalysisPools(db: Db, iid: string): Promise<AnalysisPool[]> {
  // Each pool reads its own reservations from an index: those of former periods and terms are not touched, and the free
  // base has no more of them than it grants.
  const taken = (ofPool: RawBuilder<unknown>) => sql`(select coalesce(sum(amount), 0)::int from quota_ledger r
    where institution_id = ${iid} and kind = 'reserve' and ${ofPool}
      and not exists (select from quota_ledger l where l.analysis_id = r.analysis_id and l.kind = 'release'))`;
  const { rows } = await sql<AnalysisPool>`select p.id as period, p.analyses as amount, p.expires_at,
        ${taken(sql`r.period_id = p.id and r.at >= ${termStart}`)} as used
      from capacity_period p where p.institution_id = ${iid} and p.analyses > 0 and ${isPeriodActive}
    union all select null, coalesce((select analyses from institution_quota where institution_id = ${iid}),
        ${freeQuota().analyses}::int) + (select coalesce(sum(case kind when 'grant' then amount else -amount end), 0)::int
        from quota_ledger where institution_id = ${iid} and kind in ('grant', 'expire')), null,
      ${taken(sql`r.period_id is null`)}
    order by expires_at nulls last`.execute(db);
  return rows;
}

/** Returns the number of analyses that an institution may have, and of those that it has had or has under way. */
export async function readAnalysisUsage(db: Db, iid: string): Promise<{ used: number; allowed: number }> {
  const pools = await readAnalysisPools(db, iid);
  const sum = (of: (pool: AnalysisPool) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  return { used: sum(({ used }) => used), allowed: sum(({ amount }) => amount) };
}
