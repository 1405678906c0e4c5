/** Limits of what a person shows besides, or instead of, a password. Seconds unless the name says otherwise. */
export const factorRules = {
  /** RFC 6238: what every authenticator app takes for granted. */
  totpSeconds: 30,
  totpDigits: 6,
  /** How many steps a clock may be off, either way. */
  totpSlack: 1,
  recoveryCodes: 10,
  /** How long the second step of a sign-in may take, and how often it may be tried. */
  stepSeconds: 300,
  stepTries: 5,
  challengeSeconds: 300,
  /** How long after signing in nobody is asked again who they are before they add a way in. */
  freshSeconds: 900,
  passkeys: 20,
  passkeyName: 60,
  /** How long a person may take at the other house that they sign in with. */
  providerSeconds: 600,
} as const;
