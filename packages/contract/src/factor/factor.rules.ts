/** Limits of the factors used with, or instead of, a password, in seconds unless the name states another unit. */
export const factorRules = {
  /** RFC 6238: the values that every authenticator app assumes. */
  totpSeconds: 30,
  totpDigits: 6,
  /** The accepted clock deviation, in time steps, either way. */
  totpSlack: 1,
  recoveryCodes: 10,
  /** Limits of the second step of a sign-in: its duration in seconds, and the number of attempts. */
  stepSeconds: 300,
  stepTries: 5,
  challengeSeconds: 300,
  /** Seconds after a sign-in during which a user may add a sign-in method without proving their identity again. */
  freshSeconds: 900,
  passkeys: 20,
  passkeyName: 60,
  /** Seconds that a user may spend at the identity provider. */
  providerSeconds: 600,
} as const;
