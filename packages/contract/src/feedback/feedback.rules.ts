/** The part of the software in which something is wrong. */
export const feedbackPages = ["patient", "scan", "viewing", "reporting", "tool", "other"] as const;
export type FeedbackPage = (typeof feedbackPages)[number];

export const feedbackRules = {
  pictures: 6,
  pictureBytes: 20 * 1024 * 1024,
  pieceBytes: 4 * 1024 * 1024,
  textMost: 4000,
} as const;
