/** Limits of accounts, codes and sessions. Seconds unless the name says otherwise. */
export const accountRules = {
  passwordMin: 6,
  passwordMax: 128,
  codeDigits: 6,
  codeSeconds: 300,
  codeTries: 5,
  codeEvery: 60,
  codesADay: 10,
  sessionSeconds: 12 * 3600,
  rememberedSeconds: 30 * 24 * 3600,
  apiSessionSeconds: 8 * 3600,
  /** How long the predecessor of a rotated token still works. */
  rotationGrace: 60,
  exchangeSeconds: 60,
  ticketSeconds: 900,
  humanAfterFailures: 3,
  failuresWindow: 900,
  failuresPerAddress: 50,
  evaluatedPerHour: 10,
} as const;

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
export const isEmail = (account: string): boolean => emailShape.test(account);
export const isPhone = (account: string): boolean => /^\d{5,15}$/.test(account);

/** Which message an account field deserves: none, `empty`, `phone` (digits only) or `email`. */
export const accountProblem = (account: string): "accountEmpty" | "phoneShape" | "emailShape" | null => {
  const value = account.trim();
  if (value === "") return "accountEmpty";
  if (value.includes("@")) return isEmail(value) ? null : "emailShape";
  return isPhone(value) ? null : "phoneShape";
};
