import { accountRules } from "@arcada/contract/account/account.rules";
import { clearCookie, readCookie, tokenCookie as name, writeCookie } from "./cookies.ts";

const rememberKey = "arcada.remember";

export const readToken = (): string | undefined => readCookie(name) || undefined;

/** Without `remember` the choice of the last sign-in applies: a rotated token lasts as long as its predecessor. */
export function storeToken(token: string, remember = localStorage.getItem(rememberKey) === "yes"): void {
  localStorage.setItem(rememberKey, remember ? "yes" : "no");
  writeCookie(name, token, remember ? accountRules.rememberedSeconds / 86_400 : undefined);
}

/** The server renewed the token of this session: what belongs to the former one belongs to the new one. */
export function renewToken(former: string, token: string): void {
  renewedFrom.set(token, former);
  storeToken(token);
}
const renewedFrom = new Map<string, string>();

/** True if both are tokens of one session, as far as this page has seen it. */
export const isOfSameSession = (former: string, token: string): boolean =>
  former === token || renewedFrom.get(token) === former;

export function clearToken(): void {
  localStorage.removeItem(rememberKey);
  clearCookie(name);
}
