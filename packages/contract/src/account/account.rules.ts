/** Limits of accounts, codes and sessions, in seconds unless the name states another unit. */
export const accountRules = {
  passwordMin: 6,
  passwordMax: 128,
  codeDigits: 6,
  codeSeconds: 300,
  codeTries: 5,
  codeEvery: 60,
  /** To one account, of one known browser or one network; as many more for a reset. */
  maxCodesPerDay: 10,
  /** After this many requests by other users in a day, each network gets only `codesInCrowd` codes. */
  crowdedCodes: 30,
  codesInCrowd: 3,
  /**
   * From then on other users get longer codes: an attacker with many networks gets a million attempts at short ones in
   * a day.
   */
  crowdedDigits: 10,
  /** To an address that is nobody's yet, from everywhere together: there is no owner to keep out, but a mailbox to fill. */
  codesToNobody: 100,
  /** A browser may use only codes that it requested itself. */
  codeBrowserSeconds: 24 * 3600,
  sessionSeconds: 12 * 3600,
  rememberedSeconds: 30 * 24 * 3600,
  apiSessionSeconds: 8 * 3600,
  /** Grace period of a rotated token's predecessor, in seconds. */
  rotationGrace: 60,
  /** A page reports a touch at most this often. */
  touchEvery: 60,
  /** Seconds of the page's warning before it locks. */
  idleWarning: 60,
  /** Seconds by which the server locks later than the page, which reports a touch late and warns first. */
  idleGrace: 150,
  /** Days before a contact that was bound after the registration may reset the password. */
  contactDays: 3,
  exchangeSeconds: 60,
  ticketSeconds: 900,
  humanAfterFailures: 3,
  failuresWindow: 900,
  failuresPerAddress: 50,
  /** Passwords and codes of an app that are evaluated: of one known browser at the account, and of one session. */
  evaluatedPerHour: 10,
  /** This many attempts by other users cost the usual proof of work; each further ten a harder one, three times. */
  freeAttempts: 10,
  /**
   * After this many attempts by other users in an hour, a password from an unknown browser is evaluated only with a
   * code as well.
   */
  strangersPerHour: 60,
  /** From this length on, a password is enough on an unknown device too. */
  passwordStrong: 12,
  workPhone: 30,
  avatarBytes: 5 * 1024 * 1024,
  /** The body of a request with an image of that size as base64. */
  avatarBody: 7 * 1024 * 1024,
  avatarSide: 256,
  errorsPerHour: 200,
  errorReportDays: 30,
  speedProbeBytes: 381_909,
  /**
   * The version of the terms and the privacy policy that a user agrees to. A new number asks nobody to agree again; it
   * records which version was agreed to.
   */
  legalVersion: "2026-11",
} as const;

// The dot that counts is the first one behind the first character: no text can be divided in two ways.
const emailShape = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;
export const isEmail = (account: string): boolean => emailShape.test(account);
export const isPhone = (account: string): boolean => /^\d{5,15}$/.test(account);

/** Returns the error of an account field. Words without a digit or an @ may have been meant as either. */
export const accountProblem = (
  account: string,
): "accountEmpty" | "accountShape" | "phoneShape" | "emailShape" | null => {
  const value = account.trim();
  if (value === "") return "accountEmpty";
  if (value.includes("@")) return isEmail(value) ? null : "emailShape";
  if (/^\p{L}+$/u.test(value)) return "accountShape";
  return isPhone(value) ? null : "phoneShape";
};
