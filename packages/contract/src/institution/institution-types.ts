export const institutionTypes = ["clinic", "lab"] as const;
