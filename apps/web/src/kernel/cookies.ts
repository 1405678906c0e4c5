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

/** A preference: kept for a year. */
export const keepCookie = (name: string, value: string): void => writeCookie(name, value, 365);
