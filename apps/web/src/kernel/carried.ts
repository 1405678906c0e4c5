import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { onLeave } from "./sign-in.ts";

const keys = { account: "arcada.account", card: "arcada.card" } as const;

/** What was typed goes along to the next sign-in page; not in the address, where it would be kept and logged. */
export const carryAccount = (account: string): void => carry("account", account);
export const carriedAccount = (): string => carried("account");

/** A card that was scanned waits here for its page, also past the sign-in; whoever has it can use it, so not for long. */
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

/** At every start of a page: a tab may be restored long after. */
export function dropCardInTime(): void {
  const kept = keptCard();
  if (!kept) return;
  const drops = () => {
    // Another card may have been scanned meanwhile.
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
    // Storage is refused: then it is typed again.
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
