/** The notations in which people read tooth numbers; see tooth-numbers.ts. */
export const toothSchemes = ["fdi", "palmer", "universal"] as const;
export type ToothScheme = (typeof toothSchemes)[number];
