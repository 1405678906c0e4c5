import { defineLifecycle } from "../kernel/lifecycle.ts";

export const feedbackStates = ["open", "answered", "fixed"] as const;
export type FeedbackState = (typeof feedbackStates)[number];
/** author: the person who wrote it; manager: the administrators of after-sales and the operator. */
export type FeedbackParty = "author" | "manager";

export const feedbackLifecycle = defineLifecycle<FeedbackState, FeedbackParty, "text" | "fixedIn">(
  feedbackStates,
  [],
)({
  write: { id: "F1", from: [], to: ["open"], by: ["author"] },
  answer: { id: "F2", from: ["open", "answered"], to: ["answered"], by: ["manager"], asks: ["text"] },
  add: { id: "F3", from: ["open", "answered"], to: ["open"], by: ["author"], asks: ["text"] },
  fix: { id: "F4", from: ["open", "answered"], to: ["fixed"], by: ["manager"], asks: ["fixedIn"] },
  reopen: { id: "F5", from: ["fixed"], to: ["open"], by: ["author", "manager"], asks: ["text"] },
});
/** Actions on existing feedback; writing it is a separate call. */
export type FeedbackAction = Exclude<keyof typeof feedbackLifecycle.steps, "write">;
