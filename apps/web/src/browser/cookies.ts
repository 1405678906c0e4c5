export function readCookie(name: string): string | undefined {
  const start = `${name}=`;
  const found = document.cookie.split("; ").find((part) => part.startsWith(start));
  return found === undefined ? undefined : decodeURIComponent(found.slice(start.length));
}

/** `days` absent: the cookie ends with the browser. */
export function writeCookie(name: string, value: string, days?: number): void {
  const age = days === undefined ? "" : `; Max-Age=${Math.round(days * 86_400)}`;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${age}${secure}`;
}

export const clearCookie = (name: string): void => writeCookie(name, "", 0);

/** Kept for a year. */
export const persistCookie = (name: string, value: string): void => writeCookie(name, value, 365);

export const consentCookie = "cookieConsent";
/** Consent to cookies beyond the necessary ones: `all`, or `necessary` for no preferences. */
export type CookieConsent = "all" | "necessary";
export function storeConsent(consent: CookieConsent, preferences: readonly string[]): void {
  persistCookie(consentCookie, consent);
  if (consent === "necessary") for (const name of preferences) clearCookie(name);
}

export const tokenCookie = "Admin-Token";

/**
 * Nothing is written before the user has chosen on the sign-in page. A signed-in user has chosen, or came by a link.
 */
export const canWriteCookies = (): boolean =>
  readCookie(consentCookie) !== undefined || readCookie(tokenCookie) !== undefined;

/** Keeps a preference that nothing depends on, unless preferences were declined. */
export function storePreference(name: string, value: string): void {
  if (canWriteCookies() && readCookie(consentCookie) !== "necessary") persistCookie(name, value);
}
