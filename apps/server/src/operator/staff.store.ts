import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { findRole } from "@arcada/contract/kernel/roles";
import type { StaffMember, StaffRole } from "@arcada/contract/operator/operator.calls";
import { insertOperator, isStaffMembership } from "../member/staff.writes.ts";
import type { operatorNamed } from "../account/account.events.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients, type EventData } from "../platform/events/events.ts";

interface StaffRow extends Omit<StaffMember, "role"> {
  authorityId: number;
}

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

/** Subscriber: makes a person an operator, besides any other role in the service. */
export async function addOperator(db: Db, { user }: EventData<typeof operatorNamed>): Promise<void> {
  await insertOperator(db, user);
  await notifyClients(db, { user }, "session", user);
}
