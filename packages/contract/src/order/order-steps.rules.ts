export const forwardRules = {
  /** The largest number of labs behind the first one. */
  maxDepth: 3,
} as const;
export const receiptRules = { days: 30, minDays: 14, maxDays: 90, reminders: [7, 14, 21] } as const;
export const refusalReasons = ["capacity", "files", "scope", "terms", "other"] as const;
export const cancelReasons = ["patient", "duplicate", "mistake", "otherLab", "other"] as const;
/** Possible faults in the design of one item. */
export const faultKinds = ["margin", "contact", "occlusion", "shape", "shade"] as const;
/** The cause of a remake, and the party that pays for it. */
export const remakeClasses = ["lab", "clinic", "material", "patient"] as const;
export const remakeBearers = ["open", "lab", "clinic", "shared"] as const;
/** The states in which the lab itself has the work. */
export const forwardableStates = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"] as const;
