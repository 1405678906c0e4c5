import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { findRole, roles } from "@arcada/contract/kernel/roles";
import { staffAuthorityIds } from "@arcada/contract/operator/operator.calls";
import type { StaffMember, StaffRole } from "@arcada/contract/operator/operator.calls";
import type { operatorNamed } from "../account/account.events.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";

interface StaffRow extends Omit<StaffMember, "role"> {
  authorityId: number;
}

// The service's staff are memberships without an institution; only this module writes them.

/** Returns the whole staff of the service, or those whom a condition on `m` selects. */
export async function listStaff(db: Db, which: RawBuilder<unknown> = sql`true`): Promise<StaffMember[]> {
  const { rows } =
    await sql<StaffRow>`select m.id, m.user_id as "userId", u.nick_name as name, m.authority_id as "authorityId",
      m.joined_at as since, m.version,
      (select value from contact c where c.user_id = m.user_id and c.kind = 'email') as email,
      (select value from contact c where c.user_id = m.user_id and c.kind = 'phone') as phone,
      (select max(s.seen_at) from session s where s.user_id = m.user_id and s.authority_id = m.authority_id) as "seenAt",
      (select count(*)::int from work_order w where w.assignee_id = m.user_id and w.state not in ('finished', 'closed')) as "openWorkOrders"
    from membership m join users u on u.id = m.user_id where ${isStaffMembership} and ${which}
    order by m.authority_id, u.nick_name, m.id`.execute(db);
  return rows.map(({ authorityId, ...row }) => ({ ...row, role: findRole(authorityId) as StaffRole }));
}

const isStaffMembership = sql`m.institution_id is null and m.state = 'normal' and m.authority_id = any(${staffAuthorityIds}::int[])`;

export const findStaff = async (db: Db, id: string): Promise<StaffMember | undefined> =>
  (await listStaff(db, sql`m.id = ${id}`))[0];

/** Locks the place: until the transaction ends nobody else changes it, or assigns new work to this person. */
export const lockStaff = (db: Db, id: string) =>
  sql`select from membership m where ${isStaffMembership} and m.id = ${id} for update`.execute(db);

/** Returns the user to whom this account belongs, if that user may sign in. */
export async function findAccount(db: Db, account: string, countryCode: string): Promise<string | null> {
  const isAddress = account.includes("@");
  const value = isAddress ? account.toLowerCase() : `+${countryCode.replace("+", "")}${account}`;
  const row = await db
    .selectFrom("contact")
    .innerJoin("users", "users.id", "contact.user_id")
    .select("users.id")
    .where("contact.kind", "=", isAddress ? "email" : "phone")
    .where("contact.value", "=", value)
    .where("users.suspended_at", "is", null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns the id of the place; null if this person has one already. */
export async function insertStaff(db: Db, user: string, role: StaffRole, by: string): Promise<string | null> {
  const { rows } = await sql<{
    id: string;
  }>`insert into membership (id, institution_id, user_id, authority_id, state, operator_id)
    values (${newId()}, null, ${user}, ${roles[role].authorityId}, 'normal', ${by}) on conflict do nothing returning id`.execute(
    db,
  );
  return rows[0]?.id ?? null;
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

/** Subscriber: makes a person an operator, besides any other role in the service. */
export async function addOperator(db: Db, { user }: EventData<typeof operatorNamed>): Promise<void> {
  await sql`insert into membership (id, institution_id, user_id, authority_id, state, operator_id)
    select ${newId()}, null, ${user}, ${roles.operator.authorityId}, 'normal', ${user}
    where not exists (select from membership where institution_id is null and user_id = ${user} and state = 'normal'
      and authority_id = ${roles.operator.authorityId})`.execute(db);
  await notifyClients(db, { user }, "session", user);
}
