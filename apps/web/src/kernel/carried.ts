import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { onLeave } from "./sign-in.ts";

const keys = { account: "arcada.account", card: "arcada.card" } as const;

/**
 * Carries the typed account name to the next sign-in page. It is not put into the address, where it would be kept and
 * logged.
 */
export const carryAccount = (account: string): void => carry("account", account);
export const carriedAccount = (): string => carried("account");

/**
 * Carries a scanned card to its page, also across the sign-in. The holder of its secret can use it, so it is kept only
 * for `cardMinutes`.
 */
export function carryCard(card: IssuedCard): void {
  carry("card", JSON.stringify({ ...card, until: Date.now() + cardMinutes * 60_000 }));
  dropCardInTime();
}
export function carriedCard(): IssuedCard | null {
  const kept = keptCard();
  return kept && kept.until > Date.now() ? { number: kept.number, secret: kept.secret } : null;
}
export const dropCard = (): void => drop("card");
onLeave(dropCard);

/** Runs at every start of a page: a tab may be restored long after the card was scanned. */
export function dropCardInTime(): void {
  const kept = keptCard();
  if (!kept) return;
  const drops = () => {
    // Another card may have been scanned in the meantime.
    if (!carriedCard()) dropCard();
  };
  setTimeout(drops, kept.until - Date.now());
}

const cardMinutes = 15;
function keptCard(): (IssuedCard & { until: number }) | null {
  const text = carried("card");
  return text ? (JSON.parse(text) as IssuedCard & { until: number }) : null;
}

function carry(name: keyof typeof keys, text: string): void {
  try {
    sessionStorage.setItem(keys[name], text);
  } catch {
    // Storage is refused: the user types it again.
  }
}

function carried(name: keyof typeof keys): string {
  try {
    return sessionStorage.getItem(keys[name]) ?? "";
  } catch {
    return "";
  }
}

function drop(name: keyof typeof keys): void {
  try {
    sessionStorage.removeItem(keys[name]);
  } catch {
    // Storage is refused: nothing was kept.
  }
}
