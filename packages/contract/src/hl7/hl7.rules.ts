export const hl7Rules = {
  /** The connections of one clinic. */
  maxConnections: 20,
  /** Seconds from each failed attempt to the next: about a day in all. */
  delays: [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800],
  /** Days for which the log is kept, and for which a message waits for a person. */
  logDays: 30,
  waitingDays: 90,
  logPage: 20,
  /** The longest message. */
  maxMessageBytes: 1_048_576,
  /** The seconds within which another system must answer. */
  answerSeconds: 30,
} as const;

/** The ways in which reports leave: not at all, with the document in the message, or with an address for people who sign in. */
export const hl7Results = ["off", "pdf", "link"] as const;
export type Hl7Results = (typeof hl7Results)[number];

/**
 * `done`: it was applied; `waiting`: a person decides; `ignored`: understood, and nothing had to be done; `refused`: the
 * sender was told that it is wrong; `dismissed`: a person decided against it. The rest are states of sent messages.
 */
export const hl7States = [
  "done",
  "waiting",
  "ignored",
  "refused",
  "dismissed",
  "queued",
  "sending",
  "sent",
  "failed",
  "cancelled",
] as const;
export type Hl7State = (typeof hl7States)[number];

/** The reasons for which a message waits, was ignored or was refused. */
export const hl7Reasons = [
  "otherIdentity",
  "severalHaveNumber",
  "maybeKnown",
  "creationOff",
  "birthDateMissing",
  "merge",
  "renumber",
  "deletion",
  "eventNotUsed",
  "orderNotUsed",
  "unknownPatient",
  "nothingToDo",
  "noPatient",
  "noNumber",
  "notHl7",
  "unknownEncoding",
  "unsupportedType",
  "notForUs",
] as const;
export type Hl7Reason = (typeof hl7Reasons)[number];

/** The reasons for which a sent message was not taken. */
export const hl7Problems = [
  "address",
  "forbidden",
  "refused",
  "timeout",
  "tls",
  "network",
  "answer",
  "rejected",
  "error",
  "gone",
] as const;
export type Hl7Problem = (typeof hl7Problems)[number];

/** The decisions that a person has about a message that waits, by its reason. */
export const hl7Choices: Partial<Record<Hl7Reason, readonly ("apply" | "create" | "choose")[]>> = {
  otherIdentity: ["apply"],
  severalHaveNumber: ["choose"],
  maybeKnown: ["choose", "create"],
  creationOff: ["create"],
  birthDateMissing: ["choose"],
  merge: ["apply"],
  renumber: ["apply"],
};
