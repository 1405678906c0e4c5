import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { onSignOut } from "../browser/session-lifecycle.ts";

const keys = { account: "arcada.account", card: "arcada.card" } as const;

/**
 * Carries the typed account name to the next sign-in page. It is not put into the address, where it would be kept and
 * logged.
 */
export const handOffAccount = (account: string): void => storeHandOff("account", account);
export const readHandedOffAccount = (): string => readHandOff("account");

/**
 * Carries a scanned card to its page, also across the sign-in. The holder of its secret can use it, so it is kept only
 * for `cardMinutes`.
 */
export function handOffCard(card: IssuedCard): void {
  storeHandOff("card", JSON.stringify({ ...card, until: Date.now() + cardMinutes * 60_000 }));
  scheduleCardExpiry();
}
export function readHandedOffCard(): IssuedCard | null {
  const stored = readStoredCard();
  return stored && stored.until > Date.now() ? { number: stored.number, secret: stored.secret } : null;
}
export const clearHandedOffCard = (): void => clearHandOff("card");
onSignOut(clearHandedOffCard);

/** Runs at every start of a page: a tab may be restored long after the card was scanned. */
export function scheduleCardExpiry(): void {
  const stored = readStoredCard();
  if (!stored) return;
  const clearIfExpired = () => {
    // Another card may have been scanned in the meantime.
    if (!readHandedOffCard()) clearHandedOffCard();
  };
  setTimeout(clearIfExpired, stored.until - Date.now());
}

const cardMinutes = 15;
function readStoredCard(): (IssuedCard & { until: number }) | null {
  const text = readHandOff("card");
  return text ? (JSON.parse(text) as IssuedCard & { until: number }) : null;
}

function storeHandOff(name: keyof typeof keys, text: string): void {
  try {
    sessionStorage.setItem(keys[name], text);
  } catch {
    // Storage is refused: the user types it again.
  }
}

function readHandOff(name: keyof typeof keys): string {
  try {
    return sessionStorage.getItem(keys[name]) ?? "";
  } catch {
    return "";
  }
}

function clearHandOff(name: keyof typeof keys): void {
  try {
    sessionStorage.removeItem(keys[name]);
  } catch {
    // Storage is refused: nothing was kept.
  }
}
