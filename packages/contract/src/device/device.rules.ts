export const deviceRules = {
  /** Begins every device's key, so that one that lies about is known for what it is. */
  keyPrefix: "arcada_device_",
  /** Shown of a key. */
  keyShown: 18,
  /** An activation code: so many letters, in groups of four. */
  codeLetters: 16,
  codeDays: 90,
  /** Wrong ones of one account within so many minutes. A code has 80 random bits: nobody's tries close it to others. */
  tryWindows: [
    { minutes: 15, tries: 5 },
    { minutes: 1440, tries: 20 },
  ],
  /** After-sales may unbind a device that has been locked for so long. */
  forceDays: 30,
  consentBytes: 20_000_000,
  /** Registered at once. */
  listMost: 500,
  /** Requests a minute: a volume may come slice by slice. */
  perMinute: 6000,
  worklistMost: 200,
  /** An upload that got nothing for so long runs no more. */
  uploadMinutes: 30,
  /** Of what is written of a device, wherever that is: in the register, in feedback, work orders and packages. */
  textMost: { product: 60, serialNumber: 64, model: 100, firmware: 60, name: 60, reason: 300, softwareVersion: 60 },
} as const;

/** Why after-sales locks a device. */
export const lockCodes = ["loss", "safety", "contract", "misuse", "other"] as const;
export type LockCode = (typeof lockCodes)[number];

/** What a device's key opens; the first also while it is locked: so it learns of it. */
export const deviceScopes = ["device.hello", "device.work"] as const;
export type DeviceScope = (typeof deviceScopes)[number];
