import type { FeedbackState } from "@arcada/contract/feedback/feedback.lifecycle";

export const stateColours: Record<FeedbackState, string> = { open: "orange", answered: "blue", fixed: "teal" };
