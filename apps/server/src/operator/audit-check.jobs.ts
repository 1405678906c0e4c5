import type { AuditChain } from "../platform/audit/audit-chain.ts";
import { dropExpiredAudit, RetentionStopped } from "../platform/audit/audit-retention.ts";
import { verifyAudit } from "../platform/audit/audit-verify.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { jobs } from "../platform/runtime/services.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { beginCheck, endCheck } from "./audit.store.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const queue = defineQueue("trail.check");
/** Hashing this many rows blocks the event loop for some milliseconds. */
const rowsPerBatch = 500;

/** Verifies the whole audit log every night, and when an operator requests it. */
export async function registerAuditCheck(
  working: Jobs,
  database: Database,
  { chain, keptYears }: { chain: AuditChain; keptYears: number },
): Promise<void> {
  await working.work(queue, () => checkAudit(database, chain, keptYears));
  await working.schedule(queue, "37 19 * * *");
}

/**
 * Verifies the audit log and records the result. Rows whose retention has ended are dropped from a log that was found
 * intact; a fault that retention finds among them replaces the result.
 */
export async function checkAudit(database: Database, chain: AuditChain, keptYears: number): Promise<void> {
  const id = await database.asSystem(beginCheck);
  const found = await verifyAudit(database, chain, { atOnce: rowsPerBatch });
  await database.asSystem((db) => endCheck(db, id, found));
  if (found.broken !== null || keptYears === 0) return;
  try {
    await dropExpiredAudit(database, chain, keptYears);
  } catch (error) {
    if (!(error instanceof RetentionStopped)) throw error;
    logEvent("error", "audit trail", error.message);
    const { fault, broken } = error;
    await database.asSystem((db) => endCheck(db, id, { rows: broken - 1, broken, fault }));
  }
}

export const requestAuditCheck = (db: Db): Promise<string | null> => jobs().send(db, queue, {}, { singletonKey: "on" });
