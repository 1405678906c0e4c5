import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { AuditFault } from "@arcada/contract/operator/operator.calls";
import { epochOf, fitsSeal, genesisHash, readEpochs, readHash, sealedColumns } from "./audit-chain.ts";
import type { AuditChain, SealedRow } from "./audit-chain.ts";
import { createGap, genuineGaps, readGaps } from "./audit-gaps.ts";
import type { AuditGap } from "./audit-gaps.ts";
import { tryLockSealer, verifiedHead } from "./audit-seal.ts";
import type { Database, Db } from "../database/database.ts";
import { conditionOfPartition, dropPartition, listExpiredPartitions } from "../database/partitions.ts";
import { selectValue } from "../database/select-value.ts";
import { logEvent } from "../telemetry/log.ts";

/** Hashing this many rows blocks the event loop for some milliseconds. */
const rowsPerBatch = 500;

/** A row of a partition whose retention has ended does not fit its seal, so the partition stays. */
export class RetentionStopped extends Error {
  override name = "RetentionStopped";
  readonly fault: AuditFault;
  /** The number of the first row that is wrong or missing. */
  readonly broken: number;
  constructor(fault: AuditFault, broken: number) {
    super(`a year of the audit trail is not dropped: row ${broken} is ${fault}`);
    this.fault = fault;
    this.broken = broken;
  }
}

/**
 * Drops the partitions of the audit log whose youngest row is older than this number of years, and records signed gaps
 * from which verification goes on. Call it after a verification that found the log intact: evidence must not disappear
 * from a log that contradicts itself. Returns the number of dropped partitions.
 * @throws SealStopped if the log contradicts its anchors
 * @throws RetentionStopped if a row of such a partition does not fit its seal
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
  const isInside = await conditionOfPartition(db, "audit", { name: oldest, time: "audit.at" });
  if (await isNeeded(db, isInside, head.rows)) return false;
  // The drop reads a whole year, which may take longer than a request may.
  await sql`set local statement_timeout = 0`.execute(db);
  const rows = await recordGaps(db, chain, { partition: oldest, isInside });
  await dropPartition(db, "audit", oldest);
  logEvent("info", "audit trail", "a year was dropped because its retention ended", { partition: oldest, rows });
  return true;
}

/** The partition of the head continues the chain, and rows without a seal must get one before they may go. */
const isNeeded = (db: Db, isInside: RawBuilder<boolean>, head: number): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from audit where ${isInside}
      and (seq is null or seq = ${head}))`,
  );

type Interval = Pick<AuditGap, "first" | "last" | "hash">;

/**
 * Records the rows of a partition, which is about to be dropped, as gaps; returns their number. Each row is compared
 * with its seal once more: since the last verification somebody may have moved a row of another year into this
 * partition, and its time is part of what is sealed.
 * @throws RetentionStopped
 */
async function recordGaps(
  db: Db,
  { key }: AuditChain,
  { partition, isInside }: { partition: string; isInside: RawBuilder<boolean> },
): Promise<number> {
  const epochs = await readEpochs(db);
  const earlier = genuineGaps(key, await readGaps(db));
  const at = new Date().toISOString();
  const record = (interval: Interval) =>
    db
      .insertInto("audit_gap")
      .values(createGap(key, { ...interval, partition, at }))
      .execute();
  let gap = null as Interval | null;
  let count = 0;
  for await (const row of readSealedRows(db, isInside)) {
    if (row.seq === gap?.last) throw new RetentionStopped("missing", row.seq + 1);
    const isNext = row.seq - 1 === gap?.last;
    const before = isNext && gap ? gap.hash : await findSealBefore(db, earlier, row.seq);
    if (before === null) throw new RetentionStopped("missing", row.seq - 1);
    if (!fitsSeal(key, epochOf(epochs, row.seq), before, row)) throw new RetentionStopped("altered", row.seq);
    if (gap && !isNext) await record(gap);
    gap = { first: isNext && gap ? gap.first : row.seq, last: row.seq, hash: row.hash };
    count += 1;
  }
  if (gap) await record(gap);
  return count;
}

async function* readSealedRows(db: Db, isInside: RawBuilder<boolean>): AsyncGenerator<SealedRow> {
  let [seq, id] = [0, 0];
  for (;;) {
    const { rows } = await sql<SealedRow>`select ${sealedColumns}, seq, hash from audit
      where ${isInside} and seq >= ${seq} and (seq, id) > (${seq}, ${id}) order by seq, id limit ${rowsPerBatch}`.execute(
      db,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsPerBatch) return;
    ({ seq, id } = last);
  }
}

/** Returns the seal before a row, which may lie in another partition or be that of a dropped row. */
async function findSealBefore(db: Db, gaps: readonly AuditGap[], seq: number): Promise<string | null> {
  if (seq === 1) return genesisHash;
  return gaps.find(({ last }) => last === seq - 1)?.hash ?? readHash(db, seq - 1);
}
