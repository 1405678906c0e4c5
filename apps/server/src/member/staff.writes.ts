import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import { staffAuthorityIds } from "@arcada/contract/operator/operator.calls";
import type { StaffRole } from "@arcada/contract/operator/operator.calls";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { Row } from "../tables/row.ts";

// The service's staff are memberships without an institution; only this module writes them.

/** Condition on a membership `m`. */
export const isStaffMembership = sql`m.institution_id is null and m.state = 'normal' and m.authority_id = any(${staffAuthorityIds}::int[])`;

/** Returns the id of the place; null if this person has one already. */
export async function insertStaff(db: Db, user: string, role: StaffRole, by: string): Promise<string | null> {
  const { rows } = await sql<
    Row<"membership", "id">
  >`insert into membership (id, institution_id, user_id, authority_id, state, operator_id)
    values (${newId()}, null, ${user}, ${roles[role].authorityId}, 'normal', ${by}) on conflict do nothing returning id`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}

/** Makes a person an operator, besides any other role in the service; does nothing if the person is one. */
export async function insertOperator(db: Db, user: string): Promise<void> {
  await sql`insert into membership (id, institution_id, user_id, authority_id, state, operator_id)
    select ${newId()}, null, ${user}, ${roles.operator.authorityId}, 'normal', ${user}
    where not exists (select from membership where institution_id is null and user_id = ${user} and state = 'normal'
      and authority_id = ${roles.operator.authorityId})`.execute(db);
}

interface StaffVersion {
  id: string;
  version: number;
}
/** Returns false if it was changed in the meantime. */
export const changeStaffRole = (db: Db, seen: StaffVersion, role: StaffRole, by: string): Promise<boolean> =>
  updateStaff(db, seen, sql`authority_id = ${roles[role].authorityId}, operator_id = ${by}`);
export const endStaff = (db: Db, seen: StaffVersion, by: string): Promise<boolean> =>
  updateStaff(db, seen, sql`state = 'deleted', ended_at = now(), operator_id = ${by}`);

async function updateStaff(db: Db, { id, version }: StaffVersion, change: RawBuilder<unknown>): Promise<boolean> {
  const done = await sql`update membership m set ${change}, version = version + 1
    where ${isStaffMembership} and m.id = ${id} and m.version = ${version}`.execute(db);
  return done.numAffectedRows === 1n;
}
