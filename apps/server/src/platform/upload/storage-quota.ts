import { sql } from "kysely";
import { capacityRules, effectiveStates } from "@arcada/contract/capacity/capacity.rules";
import type { Db } from "../database/database.ts";
import { prepared } from "../database/prepared-statements.ts";
import { refuse } from "../http/refuse.ts";
import { freeQuota } from "../runtime/services.ts";

/** True if a capacity period of table `p` counts now, to the second, even if a job has not updated its state yet. */
export const isPeriodActive = sql<boolean>`(p.state = any(${[...effectiveStates]}::text[]) and p.starts_at <= now() and p.expires_at > now())`;

const toBytes = (gigabytes: number): number => gigabytes * 1024 ** 3;
export const freeBytes = toBytes(capacityRules.freeGigabytes);

/**
 * Returns the bytes that an institution's originals take, each content once, those that uploads under way have
 * requested, and those that it may have: the free base and its periods in effect. The first two are summed from
 * `storage_tally`, whose rows are few, however many files there are.
 */
export async function readStorageUsage(
  db: Db,
  iid: string,
): Promise<{ stored: number; coming: number; allowed: number }> {
  const { rows } = await sql<{ stored: number; coming: number; base: number | null; bought: number }>`${prepared} select
    coalesce(sum(bytes) filter (where kind = 'originals'), 0)::bigint as stored,
    coalesce(sum(bytes) filter (where kind = 'uploads'), 0)::bigint as coming,
    (select gigabytes from institution_quota where institution_id = ${iid}) as base,
    (select coalesce(sum(p.gigabytes), 0)::int from capacity_period p where p.institution_id = ${iid} and ${isPeriodActive}) as bought
    from storage_tally where institution_id = ${iid}`.execute(db);
  const { stored, coming, base, bought } = rows[0]!;
  return { stored, coming, allowed: toBytes((base ?? freeQuota().gigabytes) + bought) };
}

/**
 * Refuses `quotaExceeded` if so many more bytes do not fit; two parallel requests for the last space wait for each
 * other.
 */
export async function reserveSpace(db: Db, iid: string, bytes: number): Promise<void> {
  const lock = sql`${prepared} select pg_advisory_xact_lock(hashtextextended(${`arcada storage ${iid}`}, 0))`;
  // Sent in one pipeline: the sums are computed after the lock was obtained.
  const [, { stored, coming, allowed }] = await Promise.all([lock.execute(db), readStorageUsage(db, iid)]);
  if (stored + coming + bytes > allowed) refuse("quotaExceeded");
}

/** Refuses `quotaExceeded` if nothing more fits, without waiting for those who reserve space at this moment. */
export async function requireSpace(db: Db, iid: string): Promise<void> {
  const { stored, coming, allowed } = await readStorageUsage(db, iid);
  if (stored + coming >= allowed) refuse("quotaExceeded");
}
