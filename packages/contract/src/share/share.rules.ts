/** What a link can show. */
export const sharedKinds = ["study", "order"] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** What a visitor is asked for besides the link. */
export const shareFactors = ["none", "email", "phone", "birthDate", "phrase"] as const;
export type ShareFactor = (typeof shareFactors)[number];

export const shareRules = {
  /** Days that may be chosen for a link, or added to it. */
  days: [1, 3, 7],
  usualDays: 7,
  /** No link lives longer, however often it is extended. */
  lifeDays: 30,
  labelMost: 60,
  revisionsMost: 50,
  phraseLeast: 6,
  phraseMost: 60,
  /** So many wrong answers within so many minutes make a visitor wait; so many in all lock the link. */
  waitAfter: 5,
  waitMinutes: 15,
  lockAfter: 10,
  /** How long a visitor looks before the second factor is asked for again. */
  visitMinutes: 30,
  codeMinutes: 5,
  codeAgainSeconds: 60,
  codesADay: 10,
  /** Characters of a link's secret: 192 random bits. */
  secretLength: 32,
} as const;
