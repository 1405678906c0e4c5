import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import { isManagerRole, memberLifecycle } from "@arcada/contract/member/member.lifecycle";
import type { MemberAction, MemberParty } from "@arcada/contract/member/member.lifecycle";
import type { Principal } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { MemberRecord } from "./member-records.store.ts";

type MemberActor = Pick<Principal, "uid" | "iid" | "role">;

const managesInstitution = (record: MemberRecord, principal: MemberActor): boolean =>
  record.institution_id === principal.iid && (managerRoles as readonly string[]).includes(principal.role);

/**
 * Everybody in the institution sees its members; applicants, invited and former members are visible only to its
 * managers, and each person sees their own record.
 */
export const maySee = (record: MemberRecord, principal: MemberActor): boolean =>
  record.self ||
  managesInstitution(record, principal) ||
  (record.institution_id === principal.iid && record.kind === "member" && record.state === "normal");

/** A licence number is shown to those who keep it and to the person. */
export const maySeeLicence = (record: MemberRecord, principal: MemberActor): boolean =>
  record.self || managesInstitution(record, principal);

/** Returns the actions open to a user, as a manager there and as the person whom the record concerns. */
export function openActions(record: MemberRecord, principal: MemberActor): MemberAction[] {
  const parties: MemberParty[] = [
    ...(managesInstitution(record, principal) ? (["manager"] as const) : []),
    ...(record.self ? (["self"] as const) : []),
  ];
  return actionsFrom(memberLifecycle, record.state).filter(
    (action) =>
      memberLifecycle.steps[action].by.some((party) => parties.includes(party)) && appliesTo(record, action, principal),
  );
}

/** Conditions of an action that the state alone does not express. */
function appliesTo(record: MemberRecord, action: MemberAction, principal: MemberActor): boolean {
  if (action === "accept" || action === "decline") return !record.late;
  // A member cannot remove themselves by `kickOut`; they leave by `exit`.
  if (action === "kickOut") return !record.self;
  // An accepted application has ended; the membership has its own record.
  if (record.kind !== "member" && record.state === "normal") return false;
  if (action === "return")
    return !record.living && (record.self || (managesInstitution(record, principal) && !!record.address));
  return true;
}

interface Colleague {
  user_id: string;
  authority_id: number;
}
/** A session may be slightly older than a change of its role: check again once this call holds the lock. */
export function requireManager(members: readonly Colleague[], uid: string): void {
  if (!members.some((one) => one.user_id === uid && isManagerRole(one.authority_id))) refuse("notAllowed");
}
/** An institution without a manager could never admit anybody again. */
export function requireAnotherManager(members: readonly Colleague[], uid: string | null): void {
  if (!members.some((one) => one.user_id !== uid && isManagerRole(one.authority_id))) refuse("lastManager");
}
