export const deviceRules = {
  /** The prefix of every device's key, so that a leaked one is recognised. */
  keyPrefix: "arcada_device_",
  /** Shown of a key. */
  keyShown: 18,
  /** An activation code: this many characters, in groups of four. */
  codeLetters: 16,
  codeDays: 90,
  /**
   * Wrong codes of one account within this many minutes. A code has 80 random bits: attempts never close it to others.
   */
  tryWindows: [
    { minutes: 15, maxAttempts: 5 },
    { minutes: 1440, maxAttempts: 20 },
  ],
  /** After-sales may unbind a device that has been locked for this many days. */
  forceDays: 30,
  consentBytes: 20_000_000,
  /** Registered at once. */
  maxListSize: 500,
  /** Requests a minute: a volume may come slice by slice. */
  perMinute: 6000,
  maxWorklistSize: 200,
  /** An upload that received nothing for this many minutes has ended. */
  uploadMinutes: 30,
  /** Length limits for the texts about a device, in the register, in feedback, work orders and packages alike. */
  maxTextLength: {
    product: 60,
    serialNumber: 64,
    model: 100,
    firmware: 60,
    name: 60,
    reason: 300,
    softwareVersion: 60,
  },
} as const;

/** Reasons for which after-sales locks a device. */
export const lockCodes = ["loss", "safety", "contract", "misuse", "other"] as const;
export type LockCode = (typeof lockCodes)[number];

/**
 * The scopes of a device's key. The first also works while the device is locked, so that the device learns of the lock.
 */
export const deviceScopes = ["device.hello", "device.work"] as const;
export type DeviceScope = (typeof deviceScopes)[number];
