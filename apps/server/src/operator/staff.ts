import type { Parsed } from "@arcada/contract/kernel/call";
import { roles } from "@arcada/contract/kernel/roles";
import type { Colleague, operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { tell } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { accountOf, changePlace, endPlace, insertPlace, lockPlace, staffWithId } from "./staff.store.ts";

/** Assigns a place in the service to the holder of an account. */
export async function appoint(
  context: AuthenticatedContext,
  { account, countryCode, role }: Parsed<typeof operatorCalls.appoint>,
): Promise<Colleague> {
  const { db, asker } = context;
  const user = (await accountOf(db, account, countryCode)) ?? refuse("staffUnknown");
  const place = (await insertPlace(db, user, role, asker.uid)) ?? refuse("staffAlready");
  context.subject = user;
  context.detail = { role };
  const to = roles[role].authorityId;
  await tell(db, { name: "serviceChanged", user, from: null, to, by: asker.uid });
  return (await staffWithId(db, place))!;
}

export async function changeStaff(
  context: AuthenticatedContext,
  { id, role, version }: Parsed<typeof operatorCalls.changeStaff>,
): Promise<Colleague> {
  const { db, asker } = context;
  const before = await placeOf(context, id);
  if (!(await changePlace(db, { id, version }, role, asker.uid))) refuse("staffChanged");
  context.detail = { role };
  if (before.role !== role)
    await tell(db, {
      name: "serviceChanged",
      user: before.userId,
      from: roles[before.role].authorityId,
      to: roles[role].authorityId,
      by: asker.uid,
    });
  return (await staffWithId(db, id))!;
}

/**
 * Ends a person's place in the service. Nobody may leave open work orders behind; the platform itself is kept by its
 * operators.
 */
export async function dismiss(
  context: AuthenticatedContext,
  { id, version }: Parsed<typeof operatorCalls.dismiss>,
): Promise<null> {
  const { db, asker } = context;
  const before = await placeOf(context, id);
  if (before.openWorkOrders > 0) refuse("staffHasWork", { count: before.openWorkOrders });
  if (!(await endPlace(db, { id, version }, asker.uid))) refuse("staffChanged");
  context.detail = { role: before.role };
  const from = roles[before.role].authorityId;
  await tell(db, { name: "serviceChanged", user: before.userId, from, to: null, by: asker.uid });
  return null;
}

async function placeOf(context: AuthenticatedContext, id: string): Promise<Colleague> {
  await lockPlace(context.db, id);
  const found = (await staffWithId(context.db, id)) ?? refuse("notFound");
  context.subject = found.userId;
  return found;
}
