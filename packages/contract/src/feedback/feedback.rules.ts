/** The part of the software in which something is wrong. */
export const feedbackPages = ["patient", "scan", "viewing", "reporting", "tool", "other"] as const;
export type FeedbackPage = (typeof feedbackPages)[number];

export const feedbackRules = {
  pictures: 6,
  pictureBytes: 20_000_000,
  chunkBytes: 4_000_000,
  maxTextLength: 4000,
} as const;
