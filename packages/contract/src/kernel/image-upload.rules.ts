/** Limits of images that people upload for themselves: portraits, logos, images of a feedback. */
export const imageRules = {
  /** A phone's photograph has 12 to 16. Decoding more is of no use: the stored copy is far smaller. */
  megapixels: 20,
  /** The number of queued images of one person, and of all people together. */
  waitingOfOne: 6,
  waitingOfAll: 60,
} as const;
