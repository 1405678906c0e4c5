/** Age bands of open work orders, by `bandDays`: each band is below its bound in days; the last band has no bound. */
export const ageBands = ["day", "week", "month", "older"] as const;
export type AgeBand = (typeof ageBands)[number];
export const clinicRules = {
  bandDays: { day: 1, week: 7, month: 30 },
  /** The dashboard covers this many months. */
  months: 12,
} as const;
/** Filters for a list of clinics. */
export const clinicKinds = ["openWork", "devices", "noAccount"] as const;
