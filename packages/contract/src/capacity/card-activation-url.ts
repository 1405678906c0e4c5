import { screens } from "../screens.ts";
import type { IssuedCard } from "./capacity.calls.ts";

/**
 * Returns the address in a card's QR code, where the card is activated. Number and secret are in the fragment, which
 * browsers never send to a server.
 */
export const cardActivationUrl = (origin: string, { number, secret }: IssuedCard): string =>
  `${origin}${screens.myCapacity.path}#card=${number}.${secret}`;

/** The card that an address names; null: none. */
export function parseCardUrl({ pathname, hash }: Pick<URL, "pathname" | "hash">): IssuedCard | null {
  const [, number, secret] =
    (pathname === screens.myCapacity.path && /^#card=(\w{1,40})\.(\w{1,60})$/.exec(hash)) || [];
  return number && secret ? { number, secret } : null;
}
