import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { withCommit } from "./db.ts";
import type { Database, Db } from "./db.ts";
import { planOnce } from "./planned-once.ts";

export interface AuditRow {
  institution_id: string | null;
  user_id: string | null;
  action: string;
  subject?: string | null;
  detail?: Record<string, unknown>;
  address?: string | null;
  request_id?: string | null;
}

/** Writes one line of the audit trail, in the transaction of what it speaks of. */
export async function audit(db: Db, row: AuditRow): Promise<void> {
  await auditLine(row).execute(db);
}
/** The same, as the last thing before the commit, in its trip. */
export const auditWithCommit = (db: Db, row: AuditRow): void => withCommit(db, auditLine(row));

export const auditLine = (row: AuditRow): RawBuilder<unknown> =>
  sql`${planOnce} insert into audit (institution_id, user_id, action, subject, detail, address, request_id)
    values (${row.institution_id}, ${row.user_id}, ${row.action}, ${row.subject ?? null}, ${JSON.stringify(row.detail ?? {})},
      ${row.address ?? null}, ${row.request_id ?? null})`;

const sealLock = 0x61756469;
const genesis = "0".repeat(64);
interface Sealable {
  id: number;
  institution_id: string | null;
  user_id: string | null;
  action: string;
  subject: string | null;
  detail: unknown;
  address: string | null;
  request_id: string | null;
  at: string;
}
const columns = sql`id, institution_id, user_id, action, subject, detail, address, request_id, at`;

/** Hash of a row and of the one before it. `detail` comes back from jsonb with its keys in a fixed order. */
const linkOf = (before: string, seq: number, row: Sealable): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
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
      ]),
    )
    .digest("hex");

/** Chains the rows that were committed since the last time. One process at a time; answers how many it sealed. */
export const sealAudit = (database: Database, most = 5000): Promise<number> =>
  database.asSystem(async (db) => {
    const lock = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${sealLock}) as got`.execute(db);
    if (!lock.rows[0]?.got) return 0;
    const last = await sql<{
      seq: number;
      hash: string;
    }>`select seq, hash from audit where seq is not null order by seq desc limit 1`.execute(db);
    const open = await sql<Sealable>`select ${columns} from audit where seq is null order by id limit ${most}`.execute(
      db,
    );
    let { seq, hash } = last.rows[0] ?? { seq: 0, hash: genesis };
    const links = open.rows.map((row) => {
      seq += 1;
      hash = linkOf(hash, seq, row);
      return { id: row.id, seq, hash };
    });
    if (links.length > 0)
      await sql`update audit set seq = link.seq, hash = link.hash
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(id bigint, seq bigint, hash text)
        where audit.id = link.id`.execute(db);
    return links.length;
  });

/** Walks the chain. `broken` is the number of the first row that does not fit, or null. Who answers requests beside it takes fewer rows at once. */
export const verifyAudit = (database: Database, atOnce = 10_000): Promise<{ rows: number; broken: number | null }> =>
  database.asSystem(async (db) => {
    let before = genesis;
    let rows = 0;
    for (;;) {
      const page = await sql<Sealable & { seq: number; hash: string }>`select ${columns}, seq, hash from audit
        where seq > ${rows} order by seq limit ${atOnce}`.execute(db);
      for (const row of page.rows) {
        if (row.seq !== rows + 1 || linkOf(before, row.seq, row) !== row.hash) return { rows, broken: rows + 1 };
        before = row.hash;
        rows += 1;
      }
      if (page.rows.length < atOnce) return { rows, broken: null };
    }
  });
