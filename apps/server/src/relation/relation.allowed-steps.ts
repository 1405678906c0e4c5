import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { relationLifecycle, relationRules } from "@arcada/contract/relation/relation.lifecycle";
import type { RelationAction, RelationParty } from "@arcada/contract/relation/relation.lifecycle";
import type { Selectable } from "kysely";
import type { RelationTable } from "../tables/schema.generated.ts";

type RelationColumns = "institution_id" | "target_id" | "state" | "left_by" | "left_at" | "resent_at" | "hidden_by";
/** `followed`: the two have a newer record, or an active one; `declined`: the other side has refused within a day. */
export type RelationRow = Pick<Selectable<RelationTable>, RelationColumns> & { followed: boolean; declined: boolean };

export const otherSide = (row: { institution_id: string; target_id: string }, iid: string): string =>
  row.institution_id === iid ? row.target_id : row.institution_id;

const hourMs = 3_600_000;
const timeAfter = (instant: string | null, milliseconds: number): number => Date.parse(instant ?? "") + milliseconds;
/** The time until which the side that left may return. */
export const resumeDeadline = (row: Pick<RelationRow, "left_at">): Date =>
  new Date(timeAfter(row.left_at, relationRules.resumeDays * 24 * hourMs));

/** Conditions that block an action although the table allows it. */
const guards: Partial<Record<RelationAction, (row: RelationRow, iid: string, now: Date) => RefusalName | null>> = {
  resend: (row, _, now) =>
    timeAfter(row.resent_at, relationRules.resendHours * hourMs) > now.getTime() ? "relationResentLately" : null,
  resume: (row, _, now) => (resumeDeadline(row) > now ? null : "relationActionNotAllowed"),
  hide: (row, iid) => (row.hidden_by.includes(iid) ? "relationActionNotAllowed" : null),
  askAgain: (row) => (row.followed ? "relationExists" : row.declined ? "relationAskedLately" : null),
};

/** Returns the reason why a manager of this institution may not take this action now; null: they may. */
export function findBlocker(row: RelationRow, action: RelationAction, iid: string, now: Date): RefusalName | null {
  const step = relationLifecycle.steps[action];
  const parties = partiesOf(row, iid);
  if (!step.from.includes(row.state) || !step.by.some((party) => parties.includes(party)))
    return "relationActionNotAllowed";
  return guards[action]?.(row, iid, now) ?? null;
}

/** Returns the roles of an institution's manager towards a relationship. */
const partiesOf = (row: RelationRow, iid: string): RelationParty[] => [
  "either",
  row.institution_id === iid ? "requester" : "target",
  ...(row.left_by === iid ? (["leaver"] as const) : []),
];

/** Returns the actions open to a member of the institution. */
export const openActions = (row: RelationRow, iid: string, manages: boolean, now: Date): RelationAction[] =>
  manages
    ? actionsFrom(relationLifecycle, row.state).filter((action) => findBlocker(row, action, iid, now) === null)
    : [];
