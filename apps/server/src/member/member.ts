import { actionsFrom } from "@arcada/contract/kernel/cycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import { manages, memberCycle } from "@arcada/contract/member/member.cycle";
import type { MemberAction, MemberParty } from "@arcada/contract/member/member.cycle";
import type { Asker } from "../kernel/asker.ts";
import { refuse } from "../kernel/refuse.ts";
import type { MemberRecord } from "./member.store.ts";

type Someone = Pick<Asker, "uid" | "iid" | "role">;

const managesHere = (record: MemberRecord, asker: Someone): boolean =>
  record.institution_id === asker.iid && (managerRoles as readonly string[]).includes(asker.role);

/** Everybody in the organisation sees its members; who is on the way in or gone, only its managers see, and each their own. */
export const maySee = (record: MemberRecord, asker: Someone): boolean =>
  record.self ||
  managesHere(record, asker) ||
  (record.institution_id === asker.iid && record.kind === "member" && record.state === "normal");

/** The actions open to somebody, as a manager there and as the one whom the record speaks of. */
export function openActions(record: MemberRecord, asker: Someone): MemberAction[] {
  const parties: MemberParty[] = [
    ...(managesHere(record, asker) ? (["manager"] as const) : []),
    ...(record.self ? (["self"] as const) : []),
  ];
  return actionsFrom(memberCycle, record.state).filter(
    (action) => memberCycle.steps[action].by.some((party) => parties.includes(party)) && isMeant(record, action, asker),
  );
}

/** What the state alone does not say. */
function isMeant(record: MemberRecord, action: MemberAction, asker: Someone): boolean {
  if (action === "accept" || action === "decline") return !record.late;
  // Leaving is what a member does alone.
  if (action === "kickOut") return !record.self;
  // An application that was agreed to has ended; the membership goes on in a record of its own.
  if (record.kind !== "member" && record.state === "normal") return false;
  if (action === "return") return !record.living && (record.self || (managesHere(record, asker) && !!record.address));
  return true;
}

interface Colleague {
  user_id: string;
  authority_id: number;
}
/** A session may be a moment older than a change of its role: asked again once this call has its turn. */
export function demandManager(members: readonly Colleague[], uid: string): void {
  if (!members.some((one) => one.user_id === uid && manages(one.authority_id))) refuse("notAllowed");
}
/** An organisation without a manager could take nobody in again. */
export function demandAnotherManager(members: readonly Colleague[], uid: string | null): void {
  if (!members.some((one) => one.user_id !== uid && manages(one.authority_id))) refuse("lastManager");
}
