import { sql } from "kysely";
import { isEqual } from "./audit-key.ts";
import type { AuditKey, ChainHead } from "./audit-key.ts";
import type { Db } from "../database/database.ts";
import type { Row } from "../../tables/row.ts";

/** An interval of the chain whose rows retention has dropped; `hash` is the seal of its last row. */
export type AuditGap = Row<"audit_gap", "first" | "last" | "hash" | "partition" | "at" | "key_id" | "mac">;

const signGap = (key: AuditKey, { first, last, hash, partition, at }: Omit<AuditGap, "mac" | "key_id">): string =>
  key.sign("gap", [key.id, first, last, hash, partition, at]);

export const readGaps = async (db: Db): Promise<AuditGap[]> =>
  (await sql<AuditGap>`select first, last, hash, partition, at, key_id, mac from audit_gap order by first`.execute(db))
    .rows;

export const createGap = (key: AuditKey, gap: Omit<AuditGap, "mac" | "key_id">): AuditGap => ({
  ...gap,
  key_id: key.id,
  mac: signGap(key, gap),
});

/** Returns the gaps that are signed with this key: without it nobody can declare rows dropped. */
export const genuineGaps = (key: AuditKey, gaps: readonly AuditGap[]): AuditGap[] =>
  gaps.filter((gap) => gap.key_id === key.id && isEqual(signGap(key, gap), gap.mac));

/**
 * Signs the gaps of an earlier key with this one, when an operator accepts that the key has changed. Nobody can check
 * their signatures any more, but a gap over rows that are still there was not made by retention: those rows would count
 * as dropped as soon as somebody deletes them.
 */
export async function signEarlierGaps(db: Db, key: AuditKey, earlierKey: string): Promise<void> {
  for (const gap of await readGaps(db)) {
    if (gap.key_id !== earlierKey) continue;
    const within = db.selectFrom("audit").select("seq").where("seq", ">=", gap.first).where("seq", "<=", gap.last);
    if (await within.limit(1).executeTakeFirst()) continue;
    const { key_id, mac } = createGap(key, gap);
    await db.updateTable("audit_gap").set({ key_id, mac }).where("first", "=", gap.first).execute();
  }
}

/** True if retention dropped the row of this head: only the seal of a gap's last row is still known. */
export const fitsGap = (gaps: readonly AuditGap[], head: ChainHead): boolean =>
  gaps.some(
    ({ first, last, hash }) => first <= head.rows && (head.rows < last || (head.rows === last && head.hash === hash)),
  );
