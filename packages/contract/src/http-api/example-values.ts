/** An identifier as the server makes them (UUID, version 7). It belongs to no record. */
export const exampleId = "019ab3c4-5d20-7c3e-8f41-2a6b9c0d1e2f";
export const exampleIds: readonly string[] = [exampleId, "019ab3c4-6e31-7d4f-9a52-3b7c0d1e2f3a"];
