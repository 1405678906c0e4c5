import { actionsFrom } from "@arcada/contract/kernel/cycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import { manages, memberCycle } from "@arcada/contract/member/member.cycle";
import type { MemberAction, MemberParty } from "@arcada/contract/member/member.cycle";
import type { Principal } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { MemberRecord } from "./member.store.ts";

type Someone = Pick<Principal, "uid" | "iid" | "role">;

const managesHere = (record: MemberRecord, asker: Someone): boolean =>
  record.institution_id === asker.iid && (managerRoles as readonly string[]).includes(asker.role);

/**
 * Everybody in the institution sees its members; applicants, invited and former members are visible only to its
 * managers, and each person sees their own record.
 */
export const maySee = (record: MemberRecord, asker: Someone): boolean =>
  record.self ||
  managesHere(record, asker) ||
  (record.institution_id === asker.iid && record.kind === "member" && record.state === "normal");

/** Returns the actions open to somebody, as a manager there and as the person whom the record concerns. */
export function openActions(record: MemberRecord, asker: Someone): MemberAction[] {
  const parties: MemberParty[] = [
    ...(managesHere(record, asker) ? (["manager"] as const) : []),
    ...(record.self ? (["self"] as const) : []),
  ];
  return actionsFrom(memberCycle, record.state).filter(
    (action) => memberCycle.steps[action].by.some((party) => parties.includes(party)) && isMeant(record, action, asker),
  );
}

/** Conditions of an action that the state alone does not express. */
function isMeant(record: MemberRecord, action: MemberAction, asker: Someone): boolean {
  if (action === "accept" || action === "decline") return !record.late;
  // A member cannot remove themselves by `kickOut`; they leave by `exit`.
  if (action === "kickOut") return !record.self;
  // An accepted application has ended; the membership has its own record.
  if (record.kind !== "member" && record.state === "normal") return false;
  if (action === "return") return !record.living && (record.self || (managesHere(record, asker) && !!record.address));
  return true;
}

interface Colleague {
  user_id: string;
  authority_id: number;
}
/** A session may be slightly older than a change of its role: check again once this call holds the lock. */
export function demandManager(members: readonly Colleague[], uid: string): void {
  if (!members.some((one) => one.user_id === uid && manages(one.authority_id))) refuse("notAllowed");
}
/** An institution without a manager could never admit anybody again. */
export function demandAnotherManager(members: readonly Colleague[], uid: string | null): void {
  if (!members.some((one) => one.user_id !== uid && manages(one.authority_id))) refuse("lastManager");
}
