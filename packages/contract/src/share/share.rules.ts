/** The kinds of content that a link can show. */
export const sharedKinds = ["study", "order"] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** The factors that a guest can be required to provide besides the link. */
export const shareFactors = ["none", "email", "phone", "birthDate", "phrase"] as const;
export type ShareFactor = (typeof shareFactors)[number];

export const shareRules = {
  /** Days that may be chosen for a link, or added to it. */
  days: [1, 3, 7],
  defaultDays: 7,
  /** No link lives longer, however often it is extended. */
  lifeDays: 30,
  maxLabelLength: 60,
  maxRevisions: 50,
  minPhraseLength: 6,
  maxPhraseLength: 60,
  /** `waitAfter` wrong answers within `waitMinutes` minutes make a guest wait; `lockAfter` in all lock the link. */
  waitAfter: 5,
  waitMinutes: 15,
  lockAfter: 10,
  /** The duration of a guest session, in minutes; then the second factor is required again. */
  visitMinutes: 30,
  codeMinutes: 5,
  codeAgainSeconds: 60,
  maxCodesPerDay: 10,
  /** Characters of a link's secret: 192 random bits. */
  secretLength: 32,
} as const;
