import { feedbackLifecycle } from "@arcada/contract/feedback/feedback.lifecycle";
import type { FeedbackAction, FeedbackParty, FeedbackState } from "@arcada/contract/feedback/feedback.lifecycle";
import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import type { Role } from "@arcada/contract/kernel/roles";

const managers: readonly Role[] = ["afterSalesAdmin", "operator"];

export const listParties = (row: { created_by: string }, principal: { uid: string; role: Role }): FeedbackParty[] => [
  ...(row.created_by === principal.uid ? (["author"] as const) : []),
  ...(managers.includes(principal.role) ? (["manager"] as const) : []),
];

export const openActions = (state: FeedbackState, parties: readonly FeedbackParty[]): FeedbackAction[] =>
  actionsFrom(feedbackLifecycle, state).filter(
    (action): action is FeedbackAction =>
      action !== "write" && feedbackLifecycle.steps[action].by.some((party) => parties.includes(party)),
  );

/** Returns the field that the step requires and that was not given. */
export const findMissingField = (
  action: FeedbackAction,
  given: { text: string; fixedIn?: string | undefined },
): "text" | "fixedIn" | undefined => feedbackLifecycle.steps[action].asks?.find((field) => !given[field]);

export const stateAfter = (action: FeedbackAction, fixedIn: string | undefined) => ({
  state: feedbackLifecycle.steps[action].to[0]!,
  fixedIn: action === "fix" ? (fixedIn ?? null) : null,
});
