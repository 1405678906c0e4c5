import { sql } from "kysely";
import { isEqual } from "./audit-key.ts";
import type { AuditKey, ChainHead } from "./audit-key.ts";
import type { Db } from "../database/database.ts";
import { isInPartition } from "../database/partitions.ts";
import type { Row } from "../../tables/row.ts";

/** An interval of the chain whose rows retention has dropped; `hash` is the seal of its last row. */
export type AuditGap = Row<"audit_gap", "first" | "last" | "hash" | "partition" | "at" | "key_id" | "mac">;

const signGap = (key: AuditKey, { first, last, hash, partition, at }: Omit<AuditGap, "mac" | "key_id">): string =>
  key.sign("gap", [key.id, first, last, hash, partition, at]);

export const readGaps = async (db: Db): Promise<AuditGap[]> =>
  (await sql<AuditGap>`select first, last, hash, partition, at, key_id, mac from audit_gap order by first`.execute(db))
    .rows;

/**
 * Returns the gaps that retention made. Without the key nobody can declare rows dropped. A gap of an earlier key counts
 * among the rows before the epoch of this key, where only order and anchors vouch for the rows themselves.
 * @param epochRows the number of rows before the epoch of this key
 */
export const genuineGaps = (key: AuditKey, epochRows: number, gaps: readonly AuditGap[]): AuditGap[] =>
  gaps.filter((gap) => (gap.key_id === key.id ? isEqual(signGap(key, gap), gap.mac) : gap.last <= epochRows));

/** True if retention dropped the row of this head: only the seal of a gap's last row is still known. */
export const fitsGap = (gaps: readonly AuditGap[], head: ChainHead): boolean =>
  gaps.some(
    ({ first, last, hash }) => first <= head.rows && (head.rows < last || (head.rows === last && head.hash === hash)),
  );

/** Records the sealed rows of a partition, which is about to be dropped, as gaps; returns their number. */
export async function recordGaps(db: Db, key: AuditKey, partition: string): Promise<number> {
  const at = new Date().toISOString();
  const isInside = isInPartition("audit", partition, "audit.at");
  // Consecutive numbers minus their places are equal: each group is an interval.
  const { rows } = await sql<Row<"audit_gap", "first" | "last" | "hash">>`
    select first, last, (select hash from audit where seq = last and ${isInside}) as hash
    from (select min(seq) as first, max(seq) as last
      from (select seq, seq - row_number() over (order by seq) as run from audit
        where seq is not null and ${isInside}) numbered
      group by run) intervals order by first`.execute(db);
  for (const { first, last, hash } of rows) {
    const gap = { first, last, hash, partition, at };
    await db
      .insertInto("audit_gap")
      .values({ ...gap, key_id: key.id, mac: signGap(key, gap) })
      .execute();
  }
  return rows.reduce((count, { first, last }) => count + last - first + 1, 0);
}
