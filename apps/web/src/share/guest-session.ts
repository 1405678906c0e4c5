import { setGuestSession } from "../browser/guest-session-secret.ts";

const storageKeys = { secret: "arcada.share", visit: "arcada.visit" };

/**
 * Returns the secret of the link. It is removed from the address at once, because history and screens would keep it.
 * The tab keeps it for a reload.
 */
export function readSecret(): string {
  const hash = location.hash.slice(1);
  if (hash === "") return readItem(storageKeys.secret);
  // Another link in the same tab starts another guest session.
  if (hash !== readItem(storageKeys.secret)) storeGuestSession("");
  writeItem(storageKeys.secret, hash);
  history.replaceState(history.state, "", location.pathname + location.search);
  return hash;
}

export const resumeGuestSession = (): string => {
  const session = readItem(storageKeys.visit);
  setGuestSession(session);
  return session;
};
export function storeGuestSession(session: string): void {
  setGuestSession(session);
  writeItem(storageKeys.visit, session);
}

function readItem(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
function writeItem(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Storage is unavailable: the guest session lasts as long as the page.
  }
}
