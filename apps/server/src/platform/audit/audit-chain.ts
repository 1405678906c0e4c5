import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { AuditFault } from "@arcada/contract/operator/operator.calls";
import { AnchorFile, isGenuine } from "./audit-anchors.ts";
import type { Anchor } from "./audit-anchors.ts";
import { deriveAuditKey, isEqual } from "./audit-key.ts";
import type { AuditKey, ChainHead } from "./audit-key.ts";
import { fitsGap, genuineGaps, readGaps } from "./audit-gaps.ts";
import type { Db } from "../database/database.ts";
import type { Column, Row } from "../../tables/row.ts";

/** Sealing and verifying need this besides the database: the key, and the file that anchors heads on this machine. */
export interface AuditChain {
  key: AuditKey;
  file: AnchorFile;
}
export function openAuditChain(secret: string, dataDir: string): AuditChain {
  const key = deriveAuditKey(secret);
  return { key, file: new AnchorFile(dataDir, key) };
}

export type SealableRow = Row<
  "audit",
  "id" | "institution_id" | "user_id" | "action" | "subject" | "detail" | "address" | "request_id" | "at" | "late_at"
>;
/** A row with its number and its seal. */
export type SealedRow = SealableRow & {
  seq: NonNullable<Column<"audit", "seq">>;
  hash: NonNullable<Column<"audit", "hash">>;
};
export const sealedColumns = sql`id, institution_id, user_id, action, subject, detail, address, request_id, at, late_at`;

// `detail` comes back from jsonb with its keys in a fixed order.
const sealedValues = (before: string, seq: number, row: SealableRow): unknown[] => [
  before,
  seq,
  row.id,
  row.institution_id,
  row.user_id,
  row.action,
  row.subject,
  row.detail,
  row.address,
  row.request_id,
  row.at,
];
/** The seal of a row: over its content, its number and the seal of the row before it. */
export const computeSeal = (key: AuditKey, before: string, seq: number, row: SealableRow): string =>
  key.sign("row", [...sealedValues(before, seq, row), row.late_at]);
/** Computes the seal of versions before decision 71, without a key. */
export const computeUnkeyedSeal = (before: string, seq: number, row: SealableRow): string =>
  createHash("sha256")
    .update(JSON.stringify(sealedValues(before, seq, row)))
    .digest("hex");

/** The hash before the first row. */
export const genesisHash = "0".repeat(64);
const noRows: ChainHead = { rows: 0, hash: genesisHash };

/** The rows after `rows` are sealed under the key `key_id`. */
export interface KeyEpoch extends ChainHead {
  at: string;
  key_id: string;
  reason: string | null;
  mac: string;
}
/** An epoch signs those before it: otherwise an epoch of a forged key could be put between two genuine ones. */
const signEpoch = (key: AuditKey, epoch: Omit<KeyEpoch, "mac">, before: readonly KeyEpoch[]): string =>
  key.sign("epoch", [
    [epoch.rows, epoch.hash, epoch.at, epoch.key_id, epoch.reason],
    before.map(({ rows, mac }) => [rows, mac]),
  ]);
/** True if every epoch of this key is genuine: since it was signed, no epoch before it was inserted or removed. */
function areGenuine(key: AuditKey, epochs: readonly KeyEpoch[]): boolean {
  const own = epochs.flatMap((epoch, place) => (epoch.key_id === key.id ? [place] : []));
  return own.every((place) => isEqual(signEpoch(key, epochs[place]!, epochs.slice(0, place)), epochs[place]!.mac));
}

/** Returns the epoch in which a row was sealed; undefined: it was sealed without a key. */
export const epochOf = (epochs: readonly KeyEpoch[], seq: number): KeyEpoch | undefined =>
  epochs.findLast(({ rows }) => rows < seq);

/** True if the row fits its seal. Nobody can compute the seals of an earlier key: each row fits those. */
export function fitsSeal(key: AuditKey, epoch: KeyEpoch | undefined, before: string, row: SealedRow): boolean {
  if (!epoch) return computeUnkeyedSeal(before, row.seq, row) === row.hash;
  return epoch.key_id !== key.id || computeSeal(key, before, row.seq, row) === row.hash;
}

export async function readEpochs(db: Db): Promise<KeyEpoch[]> {
  const { rows } = await sql<
    Row<"audit_epoch", "rows" | "hash" | "at" | "key_id" | "reason" | "mac">
  >`select rows, hash, at, key_id, reason, mac from audit_epoch order by rows`.execute(db);
  return rows;
}

export async function beginEpoch(db: Db, key: AuditKey, head: ChainHead, reason: string | null): Promise<void> {
  const epoch = { ...head, at: new Date().toISOString(), key_id: key.id, reason };
  await sql`delete from audit_epoch where rows >= ${head.rows}`.execute(db);
  const mac = signEpoch(key, epoch, await readEpochs(db));
  await sql`insert into audit_epoch (rows, hash, at, key_id, reason, mac)
    values (${epoch.rows}, ${epoch.hash}, ${epoch.at}, ${epoch.key_id}, ${epoch.reason}, ${mac})`.execute(db);
}

export async function findLastSealed(db: Db): Promise<ChainHead> {
  const { rows } = await sql<{
    rows: NonNullable<Column<"audit", "seq">>;
    hash: NonNullable<Column<"audit", "hash">>;
  }>`select seq as rows, hash from audit where seq is not null
    order by seq desc limit 1`.execute(db);
  return rows[0] ?? noRows;
}

/**
 * Returns the head that is kept in the database. It proves nothing alone, but reveals a forger who forgets to change
 * it.
 */
export async function readDatabaseAnchor(db: Db): Promise<Anchor | null> {
  const { rows } = await sql<
    Row<"audit_anchor", "rows" | "hash" | "at" | "mac"> & { key: Column<"audit_anchor", "key_id"> }
  >`select rows, hash, at, key_id as key, mac from audit_anchor`.execute(db);
  return rows[0] ?? null;
}

/** This check finds a contradiction between the rows, the epochs and the latest anchors without reading every row. */
export async function findContradiction(
  db: Db,
  { key, file }: AuditChain,
  head: ChainHead,
): Promise<AuditFault | null> {
  const { anchors } = await file.known();
  const inDatabase = await readDatabaseAnchor(db);
  const latest = [anchors.at(-1), inDatabase && isGenuine(key, inDatabase) ? inDatabase : null].filter(Boolean);
  const epochs = await readEpochs(db);
  const fault = findEpochFault(key, epochs, latest.length > 0);
  if (fault) return fault;
  for (const anchor of latest as Anchor[]) {
    if (anchor.rows > head.rows) return "cut";
    if (anchor.rows === 0) continue;
    const hash = await readHash(db, anchor.rows);
    const isDropped = hash === null && fitsGap(genuineGaps(key, await readGaps(db)), anchor);
    if (hash !== anchor.hash && !isDropped) return "resealed";
  }
  return null;
}

/**
 * Checks the epochs. Without the record of where the keyed seals begin, anyone could declare all rows older than the
 * key.
 */
export function findEpochFault(key: AuditKey, epochs: readonly KeyEpoch[], isAnchored: boolean): AuditFault | null {
  const last = epochs.at(-1);
  if (!last) return isAnchored ? "startMissing" : null;
  if (last.key_id !== key.id) return "otherKey";
  return areGenuine(key, epochs) ? null : "startMissing";
}

export async function readHash(db: Db, seq: number): Promise<string | null> {
  const { rows } = await sql<Row<"audit", "hash">>`select hash from audit where seq = ${seq}`.execute(db);
  return rows[0]?.hash ?? null;
}
