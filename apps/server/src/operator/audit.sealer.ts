import { sql } from "kysely";
import { screens } from "@arcada/contract/screens";
import { roles } from "@arcada/contract/kernel/roles";
import type { AuditChain } from "../platform/audit/audit-chain.ts";
import { anchorAudit, claimHeadOfToday, sealAudit, SealStopped } from "../platform/audit/audit-seal.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { queueEmails } from "../platform/mail/email-queue.ts";
import type { QueuedEmail } from "../platform/mail/email-queue.ts";
import type { Language } from "../platform/text/texts.ts";
import { requestAuditCheck } from "./audit-check.jobs.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import type { Column, Row } from "../tables/row.ts";

export const sealTaskName = "audit.seal";

const headLogIntervalMs = 3_600_000;
const errorLogIntervalMs = 60_000;

/**
 * Seals the audit log and anchors its head, and logs this independently of LOG_LEVEL: a log is a witness outside the
 * database. Both throw after they have logged what stopped them.
 */
export function auditSealer(database: Database, chain: AuditChain) {
  const lastLogged = { head: 0, stopped: 0 };
  const logFailure = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (Date.now() - lastLogged.stopped < errorLogIntervalMs) throw error;
      lastLogged.stopped = Date.now();
      // A person who makes the file of anchors unreadable, or fills the disk, must not be able to stop the seals
      // silently.
      logEvent("error", "audit trail", describeError(error));
      // The check finds the place, and the light of the audit log turns red.
      if (error instanceof SealStopped) await database.asSystem(requestAuditCheck);
      throw error;
    }
  };
  return {
    seal: () => logFailure(() => sealAudit(database, chain)),
    anchor: () =>
      logFailure(async () => {
        const anchor = await anchorAudit(database, chain);
        if (!anchor || Date.now() - lastLogged.head < headLogIntervalMs) return;
        lastLogged.head = Date.now();
        const { rows, hash, at } = anchor;
        logEvent("info", "audit trail", "the head of the audit log", { head: `${rows}:${hash}`, at });
      }),
  };
}

const queue = defineQueue("trail.head");

/** Sends the head to the operators once a day. */
export async function registerHeadEmail(working: Jobs, database: Database, chain: AuditChain): Promise<void> {
  await working.work(queue, () => emailAuditHead(database, chain));
  await working.schedule(queue, "7 5 * * *");
}

/** A mailbox is a witness that cannot be reached through the database; returns the number of e-mails sent. */
export async function emailAuditHead(database: Database, chain: AuditChain): Promise<number> {
  await anchorAudit(database, chain);
  return database.asSystem(async (db) => {
    // Each day is claimed once, by the process that comes first, in the transaction that queues its e-mails.
    const head = await claimHeadOfToday(db);
    if (!head) return 0;
    const emails = (await listOperators(db)).map(({ email, language }): QueuedEmail => ({
      to: email,
      language,
      name: "auditHead",
      values: {
        rows: head.rows,
        head: `${head.rows}:${head.hash}`,
        time: `${head.at.slice(0, 16).replace("T", " ")} UTC`,
      },
      link: screens.auditSearch.path,
    }));
    await queueEmails(db, emails);
    return emails.length;
  });
}

async function listOperators(db: Db): Promise<{ email: string; language: Language }[]> {
  const { rows } = await sql<
    Row<"users", "language"> & { email: Column<"contact", "value"> }
  >`select distinct c.value as email, u.language
    from membership m join users u on u.id = m.user_id join contact c on c.user_id = u.id and c.kind = 'email'
    where m.state = 'normal' and m.authority_id = ${roles.operator.authorityId} and u.suspended_at is null
    order by c.value`.execute(db);
  return rows;
}
