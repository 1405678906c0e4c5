/** Limits of the communication between both sides of an order. */
export const talkRules = { messageMost: 4000, pinMost: 500, filesMost: 10, fileMegabytes: 100, pinsMost: 500 } as const;
