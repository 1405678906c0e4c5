import { sql } from "kysely";
import { recordGaps } from "./audit-gaps.ts";
import { tryLockSealer, verifiedHead } from "./audit-seal.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { Database, Db } from "../database/database.ts";
import { dropPartition, isInPartition, listExpiredPartitions } from "../database/partitions.ts";
import { selectValue } from "../database/select-value.ts";
import { logEvent } from "../telemetry/log.ts";

/**
 * Drops the partitions of the audit log whose youngest row is older than this number of years, and records signed gaps
 * from which verification goes on. Call it after a verification that found the log intact: evidence must not disappear
 * from a log that contradicts itself. Returns the number of dropped partitions.
 * @throws SealStopped if the log contradicts its anchors
 */
export async function dropExpiredAudit(database: Database, chain: AuditChain, years: number): Promise<number> {
  for (let dropped = 0; ; dropped++)
    if (!(await database.asSystem((db) => dropOldest(db, chain, years)))) return dropped;
}

async function dropOldest(db: Db, chain: AuditChain, years: number): Promise<boolean> {
  if (!(await tryLockSealer(db))) return false;
  const [oldest] = await listExpiredPartitions(db, "audit", `${years} years`);
  if (oldest === undefined) return false;
  const head = await verifiedHead(db, chain);
  if (await isNeeded(db, oldest, head.rows)) return false;
  // Numbering the rows of a large year takes longer than a request may.
  await sql`set local statement_timeout = 0`.execute(db);
  const rows = await recordGaps(db, chain.key, oldest);
  await dropPartition(db, "audit", oldest);
  logEvent("info", "audit trail", "a year was dropped because its retention ended", { partition: oldest, rows });
  return true;
}

/** The partition of the head continues the chain, and rows without a seal must get one before they may go. */
const isNeeded = (db: Db, partition: string, head: number): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from audit where ${isInPartition("audit", partition, "audit.at")}
      and (seq is null or seq = ${head}))`,
  );
