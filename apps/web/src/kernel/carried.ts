import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";

const keys = { account: "arcada.account", card: "arcada.card" } as const;

/** What was typed goes along to the next sign-in page; not in the address, where it would be kept and logged. */
export const carryAccount = (account: string): void => carry("account", account);
export const carriedAccount = (): string => carried("account");

/** A card that was scanned waits here for its page, also past the sign-in. */
export const carryCard = (card: IssuedCard): void => carry("card", JSON.stringify(card));
export function carriedCard(): IssuedCard | null {
  const text = carried("card");
  return text ? (JSON.parse(text) as IssuedCard) : null;
}
export const dropCard = (): void => carry("card", "");

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
