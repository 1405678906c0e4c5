export const pacsRules = {
  /** The destinations of one clinic. */
  maxDestinations: 20,
  /** Seconds from each failed attempt to the next: about a day in all. */
  delays: [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800],
  /** Days for which the log is kept. */
  logDays: 30,
  logPage: 20,
} as const;

/** PS3.5 6.2: sixteen characters, no backslash, no blank at either end. */
export const titlePattern = /^[!-[\]-~](?:[ -[\]-~]{0,14}[!-[\]-~])?$/;
