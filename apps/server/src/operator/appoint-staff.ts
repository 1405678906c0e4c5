import type { Parsed } from "@arcada/contract/kernel/call";
import { roles } from "@arcada/contract/kernel/roles";
import type { StaffMember, operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { publish } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { findAccount, lockStaff, findStaff } from "./staff.store.ts";
import { changeStaffRole, endStaff, insertStaff } from "../member/staff.writes.ts";
import { serviceMembershipChanged } from "./staff.events.ts";

/** Gives the holder of an account a role in the service. */
export async function appointStaff(
  context: AuthenticatedContext,
  { account, countryCode, role }: Parsed<typeof operatorCalls.appoint>,
): Promise<StaffMember> {
  const { db, principal } = context;
  const user = (await findAccount(db, account, countryCode)) ?? refuse("staffUnknown");
  const membershipId = (await insertStaff(db, user, role, principal.uid)) ?? refuse("staffAlready");
  context.subject = user;
  context.detail = { role };
  const to = roles[role].authorityId;
  await publish(db, serviceMembershipChanged, { user, from: null, to, by: principal.uid });
  return (await findStaff(db, membershipId))!;
}

export async function changeStaff(
  context: AuthenticatedContext,
  { id, role, version }: Parsed<typeof operatorCalls.changeStaff>,
): Promise<StaffMember> {
  const { db, principal } = context;
  const before = await lockAndRequireStaff(context, id);
  if (!(await changeStaffRole(db, { id, version }, role, principal.uid))) refuse("staffChanged");
  context.detail = { role };
  if (before.role !== role)
    await publish(db, serviceMembershipChanged, {
      user: before.userId,
      from: roles[before.role].authorityId,
      to: roles[role].authorityId,
      by: principal.uid,
    });
  return (await findStaff(db, id))!;
}

/**
 * Ends a person's place in the service. Nobody may leave open work orders behind; the platform itself is kept by its
 * operators.
 */
export async function dismissStaff(
  context: AuthenticatedContext,
  { id, version }: Parsed<typeof operatorCalls.dismiss>,
): Promise<null> {
  const { db, principal } = context;
  const before = await lockAndRequireStaff(context, id);
  if (before.openWorkOrders > 0) refuse("staffHasWork", { count: before.openWorkOrders });
  if (!(await endStaff(db, { id, version }, principal.uid))) refuse("staffChanged");
  context.detail = { role: before.role };
  const from = roles[before.role].authorityId;
  await publish(db, serviceMembershipChanged, { user: before.userId, from, to: null, by: principal.uid });
  return null;
}

async function lockAndRequireStaff(context: AuthenticatedContext, id: string): Promise<StaffMember> {
  await lockStaff(context.db, id);
  const found = (await findStaff(context.db, id)) ?? refuse("notFound");
  context.subject = found.userId;
  return found;
}
