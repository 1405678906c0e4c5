/** The limits of a laboratory's agent: the program that carries orders into exocad's folder and designs back. */
export const labAgentRules = {
  /** Orders in work of one answer; a laboratory with more gets the oldest first. */
  maxOrders: 2000,
  /** Orders that the agent asks about because it has delivered them. */
  maxKnown: 1000,
  maxDesignFiles: 200,
  /** An agent that has not reported for so many minutes counts as away. */
  awayAfterMinutes: 5,
  maxNumbers: 20,
} as const;

/** The problems that an agent reports, the gravest first. */
export const labAgentProblems = [
  "folderUnusable",
  "diskFull",
  "downloadBroken",
  "designRefused",
  "designLate",
  "caseMissing",
  "orderCancelled",
  "orderChanged",
] as const;
export type LabAgentProblem = (typeof labAgentProblems)[number];
