import type { FeedbackState } from "@arcada/contract/feedback/feedback.cycle";

export const stateColours: Record<FeedbackState, string> = { open: "orange", answered: "blue", fixed: "teal" };
