/** How long a work order has been open, in days: below each bound its band, then the last one. */
export const ageBands = ["day", "week", "month", "older"] as const;
export type AgeBand = (typeof ageBands)[number];
export const clinicRules = {
  bandDays: { day: 1, week: 7, month: 30 },
  /** The dashboard looks back so far. */
  months: 12,
} as const;
/** What a list of clinics may be narrowed to. */
export const clinicKinds = ["openWork", "devices", "noAccount"] as const;
