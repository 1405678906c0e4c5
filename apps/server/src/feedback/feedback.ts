import { feedbackCycle } from "@arcada/contract/feedback/feedback.cycle";
import type { FeedbackAction, FeedbackParty, FeedbackState } from "@arcada/contract/feedback/feedback.cycle";
import { actionsFrom } from "@arcada/contract/kernel/cycle";
import type { Role } from "@arcada/contract/kernel/roles";

const managers: readonly Role[] = ["afterSalesAdmin", "operator"];

export const listParties = (row: { created_by: string }, principal: { uid: string; role: Role }): FeedbackParty[] => [
  ...(row.created_by === principal.uid ? (["author"] as const) : []),
  ...(managers.includes(principal.role) ? (["manager"] as const) : []),
];

export const openActions = (state: FeedbackState, parties: readonly FeedbackParty[]): FeedbackAction[] =>
  actionsFrom(feedbackCycle, state).filter(
    (action): action is FeedbackAction =>
      action !== "write" && feedbackCycle.steps[action].by.some((party) => parties.includes(party)),
  );

/** Returns the field that the step requires and that was not given. */
export const findMissingField = (
  action: FeedbackAction,
  given: { text: string; fixedIn?: string | undefined },
): "text" | "fixedIn" | undefined => feedbackCycle.steps[action].asks?.find((field) => !given[field]);

export const stateAfter = (action: FeedbackAction, fixedIn: string | undefined) => ({
  state: feedbackCycle.steps[action].to[0]!,
  fixedIn: action === "fix" ? (fixedIn ?? null) : null,
});
