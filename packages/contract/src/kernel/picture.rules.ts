/** Limits of pictures that people set for themselves: portraits, logos, pictures of a feedback. */
export const pictureRules = {
  /** A phone's photograph has 12 to 16. More is decoded for nothing: what is kept is far smaller. */
  megapixels: 20,
  /** So many pictures of one person wait for their turn, and so many of all people together. */
  waitingOfOne: 6,
  waitingOfAll: 60,
} as const;
