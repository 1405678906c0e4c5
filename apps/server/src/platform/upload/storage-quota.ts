import { sql } from "kysely";
import { capacityRules, effectiveStates } from "@arcada/contract/capacity/capacity.rules";
import { runOnCommit } from "../database/database.ts";
import type { Db } from "../database/database.ts";
import { asPrepared, prepared } from "../database/prepared-statements.ts";
import { refuse } from "../http/refuse.ts";
import { freeQuota } from "../runtime/services.ts";

/** True if a capacity period of table `p` counts now, to the second, even if a job has not updated its state yet. */
export const isPeriodActive = sql<boolean>`(p.state = any(${[...effectiveStates]}::text[]) and p.starts_at <= now() and p.expires_at > now())`;

const bytesOfGigabyte = 1024 ** 3;
export const freeBytes = capacityRules.freeGigabytes * bytesOfGigabyte;

/** The bytes that an institution may have: the free base and its periods in effect. */
export const allowedBytes = (iid: string) =>
  sql<number>`((coalesce((select gigabytes from institution_quota where institution_id = ${iid}), ${freeQuota().gigabytes}::int)
    + (select coalesce(sum(p.gigabytes), 0) from capacity_period p where p.institution_id = ${iid} and ${isPeriodActive}))
    * ${bytesOfGigabyte}::bigint)::bigint`;

/**
 * Returns the bytes that an institution's originals take, each content once, those that uploads under way have
 * requested, and those that it may have. The first two are summed from `storage_tally`, whose rows are few, however many
 * files there are.
 */
export async function readStorageUsage(
  db: Db,
  iid: string,
): Promise<{ stored: number; coming: number; allowed: number }> {
  const summed = (kind: "originals" | "uploads") =>
    sql<number>`coalesce(sum(bytes) filter (where kind = ${sql.lit(kind)}), 0)::bigint`;
  const query = db
    .selectFrom("storage_tally")
    .select([summed("originals").as("stored"), summed("uploads").as("coming"), allowedBytes(iid).as("allowed")])
    .where("institution_id", "=", iid);
  const { rows } = await db.executeQuery(asPrepared(query.compile()));
  return rows[0]!;
}

/**
 * Refuses `quotaExceeded` if so many more bytes do not fit; two parallel requests for the last space wait for each
 * other.
 */
export async function reserveSpace(db: Db, iid: string, bytes: number): Promise<void> {
  const reserved = sql`${prepared} select reserve_storage(${iid}, ${bytes}, ${allowedBytes(iid)})`;
  await reserved.execute(db).catch(refuseIfFull);
}

/**
 * Checks with the commit that the bytes that the transaction has counted fit, and holds the lock no longer. If they do
 * not, the transaction fails with an error that `refuseIfFull` knows.
 */
export const requireSpaceOnCommit = (db: Db, iid: string): void =>
  runOnCommit(db, sql`${prepared} select reserve_storage(${iid}, 0, ${allowedBytes(iid)})`);

/** Turns the error that the database raises when bytes do not fit into the refusal `quotaExceeded`. */
export const refuseIfFull = (error: unknown): never => {
  if ((error as { code?: string }).code === "AR001") return refuse("quotaExceeded");
  throw error;
};

/** Refuses `quotaExceeded` if nothing more fits, without waiting for those who reserve space at this moment. */
export async function requireSpace(db: Db, iid: string): Promise<void> {
  const { stored, coming, allowed } = await readStorageUsage(db, iid);
  if (stored + coming >= allowed) refuse("quotaExceeded");
}
