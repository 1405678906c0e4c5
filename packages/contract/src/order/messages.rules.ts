/** Limits of the communication between both sides of an order. */
export const messageRules = {
  maxMessageLength: 4000,
  maxPinLength: 500,
  maxFiles: 10,
  maxMentions: 20,
  fileMegabytes: 100,
  maxPins: 500,
} as const;
