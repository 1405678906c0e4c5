import type { AuditChain } from "../platform/audit/audit-chain.ts";
import { dropExpiredAudit } from "../platform/audit/audit-retention.ts";
import { verifyAudit } from "../platform/audit/audit-verify.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { jobs } from "../platform/runtime/services.ts";
import { beginCheck, endCheck } from "./audit.store.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const queue = defineQueue("trail.check");
/** Hashing this many rows blocks the event loop for some milliseconds. */
const rowsPerBatch = 500;

/**
 * Verifies the whole audit log every night, and when an operator requests it. Rows whose retention has ended are dropped
 * from a log that was found intact.
 */
export async function registerAuditCheck(
  working: Jobs,
  database: Database,
  { chain, keptYears }: { chain: AuditChain; keptYears: number },
): Promise<void> {
  await working.work(queue, async () => {
    const id = await database.asSystem(beginCheck);
    const found = await verifyAudit(database, chain, { atOnce: rowsPerBatch });
    await database.asSystem((db) => endCheck(db, id, found));
    if (found.broken === null && keptYears > 0) await dropExpiredAudit(database, chain, keptYears);
  });
  await working.schedule(queue, "37 19 * * *");
}

export const requestAuditCheck = (db: Db): Promise<string | null> => jobs().send(db, queue, {}, { singletonKey: "on" });
