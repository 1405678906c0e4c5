import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { runOnCommit } from "../database/database.ts";
import type { Db } from "../database/database.ts";
import { prepared } from "../database/prepared-statements.ts";

export interface AuditRow {
  institution_id: string | null;
  user_id: string | null;
  action: string;
  subject?: string | null;
  detail?: Record<string, unknown>;
  address?: string | null;
  request_id?: string | null;
}

/** Writes a row of the audit log in the transaction that it describes. */
export async function audit(db: Db, row: AuditRow): Promise<void> {
  await auditStatement(row).execute(db);
}
/** Does the same as the last statement before the commit, in its round trip. */
export const auditWithCommit = (db: Db, row: AuditRow): void => runOnCommit(db, auditStatement(row));

export const auditStatement = (row: AuditRow): RawBuilder<unknown> =>
  sql`${prepared} insert into audit (institution_id, user_id, action, subject, detail, address, request_id)
    values (${row.institution_id}, ${row.user_id}, ${row.action}, ${row.subject ?? null}, ${JSON.stringify(row.detail ?? {})},
      ${row.address ?? null}, ${row.request_id ?? null})`;
