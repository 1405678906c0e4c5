import { sql } from "kysely";
import type { AuditFault } from "@arcada/contract/operator/operator.calls";
import { createAnchor } from "./audit-anchors.ts";
import type { Anchor } from "./audit-anchors.ts";
import {
  beginEpoch,
  findContradiction,
  readEpochs,
  findLastSealed,
  sealedColumns,
  computeSeal,
} from "./audit-chain.ts";
import type { AuditChain, SealableRow } from "./audit-chain.ts";
import { signEarlierGaps } from "./audit-gaps.ts";
import type { Database, Db } from "../database/database.ts";
import type { Row } from "../../tables/row.ts";
import { selectValue } from "../database/select-value.ts";

const sealLock = 0x61756469;
/** A row that has waited for longer is sealed all the same, and carries the instant of its seal. */
const lateAfter = "1 minute";

/** The audit log contradicts its anchors or its key: nothing is sealed until someone has investigated. */
export class SealStopped extends Error {
  override name = "SealStopped";
  readonly fault: AuditFault;
  constructor(fault: AuditFault) {
    super(`the audit trail is not sealed any further: ${fault}`);
    this.fault = fault;
  }
}

/**
 * Chains the rows that were committed since the last run. One process at a time; returns the number of sealed rows.
 * @throws SealStopped
 */
export const sealAudit = (database: Database, chain: AuditChain, batchSize = 5000): Promise<number> =>
  database.asSystem(async (db) => {
    if (!(await tryLockSealer(db))) return 0;
    const open =
      await sql<SealableRow>`select ${sealedColumns} from audit where seq is null order by id limit ${batchSize}`.execute(
        db,
      );
    if (open.rows.length === 0) return 0;
    const head = await verifiedHead(db, chain);
    const clock = await readClock(db);
    let { rows: seq, hash } = head;
    const links = open.rows.map((row) => {
      seq += 1;
      const late_at = isLate(row.at, clock.limit) ? clock.now : null;
      hash = computeSeal(chain.key, hash, seq, { ...row, late_at });
      return { id: row.id, seq, hash, late_at };
    });
    await sql`update audit set seq = link.seq, hash = link.hash, late_at = link.late_at
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(id bigint, seq bigint, hash text, late_at timestamptz)
      where audit.id = link.id and audit.seq is null and audit.at >= ${oldest(open.rows)}`.execute(db);
    return links.length;
  });

/**
 * Writes the head of the sealed rows to the file of this machine and to the database. Returns it, or null if nothing
 * was sealed yet or another process is doing so.
 * @throws SealStopped
 */
export const anchorAudit = (database: Database, chain: AuditChain): Promise<Anchor | null> =>
  database.asSystem(async (db) => {
    if (!(await tryLockSealer(db))) return null;
    if ((await findLastSealed(db)).rows === 0 && (await readEpochs(db)).length === 0) return null;
    const head = await verifiedHead(db, chain);
    const last = (await chain.file.known()).anchors.at(-1);
    if (last?.rows === head.rows) return last;
    const anchor = createAnchor(chain.key, head, new Date().toISOString());
    await writeAnchor(db, chain, anchor);
    return anchor;
  });

/**
 * Accepts the audit log as it is, for a reason that is stored: after a backup was restored, or SECRET_KEY was changed.
 */
export const acceptAudit = (database: Database, chain: AuditChain, reason: string): Promise<Anchor> =>
  database.asSystem(async (db) => {
    await sql`select pg_advisory_xact_lock(${sealLock})`.execute(db);
    const head = await findLastSealed(db);
    const earlier = (await readEpochs(db)).at(-1);
    // Under the same key, its signature alone decides which gaps count.
    if (earlier && earlier.key_id !== chain.key.id) await signEarlierGaps(db, chain.key, earlier.key_id);
    await beginEpoch(db, chain.key, head, reason);
    const anchor = createAnchor(chain.key, head, new Date().toISOString(), reason);
    await writeAnchor(db, chain, anchor);
    return anchor;
  });

/** One process at a time works at the chain. */
export const tryLockSealer = (db: Db): Promise<boolean> =>
  selectValue(db, sql<boolean>`pg_try_advisory_xact_lock(${sealLock})`);

/**
 * Returns the head of a log that does not contradict its anchors. Rows that earlier versions sealed without a key are
 * covered by the first epoch, which begins after them.
 * @throws SealStopped
 */
export async function verifiedHead(db: Db, chain: AuditChain) {
  const head = await findLastSealed(db);
  const fault = await findContradiction(db, chain, head);
  if (fault) throw new SealStopped(fault);
  if ((await readEpochs(db)).length === 0) await beginEpoch(db, chain.key, head, null);
  return head;
}

async function writeAnchor(db: Db, { key, file }: AuditChain, anchor: Anchor): Promise<void> {
  await file.append(anchor);
  const { rows, hash, at, key: keyId, mac } = createAnchor(key, anchor, anchor.at);
  await sql`insert into audit_anchor (id, rows, hash, at, key_id, mac)
    values (1, ${rows}, ${hash}, ${at}, ${keyId}, ${mac})
    on conflict (id) do update set rows = excluded.rows, hash = excluded.hash, at = excluded.at, key_id = excluded.key_id,
      mac = excluded.mac`.execute(db);
}

/** Returns the anchored head once a day, to the caller who comes first. */
export async function claimHeadOfToday(db: Db): Promise<{ rows: number; hash: string; at: string } | undefined> {
  const { rows } = await sql<Row<"audit_anchor", "rows" | "hash" | "at">>`update audit_anchor
    set mailed_on = (now() at time zone 'UTC')::date
    where mailed_on is distinct from (now() at time zone 'UTC')::date returning rows, hash, at`.execute(db);
  return rows[0];
}

async function readClock(db: Db): Promise<{ now: string; limit: string }> {
  const { rows } = await sql<{
    now: string;
    limit: string;
  }>`select clock.now, clock.now - ${lateAfter}::interval as limit
    from (select date_trunc('milliseconds', clock_timestamp()) as now) clock`.execute(db);
  return rows[0]!;
}
/** Keeps the update away from the partitions before; the instants of rows are cut to the millisecond. */
const oldest = (rows: readonly SealableRow[]): string =>
  rows.reduce((found, { at }) => (at < found ? at : found), rows[0]!.at);
const isLate = (at: string, limit: string): boolean => Date.parse(at) < Date.parse(limit);
