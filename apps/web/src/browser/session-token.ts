import { accountRules } from "@arcada/contract/account/account.rules";
import { clearCookie, readCookie, tokenCookie as name, writeCookie } from "./cookies.ts";

const rememberKey = "arcada.remember";

export const readToken = (): string | undefined => readCookie(name) || undefined;

/** Without `remember` the choice of the last sign-in applies: a rotated token lasts as long as its predecessor. */
export function storeToken(token: string, remember = localStorage.getItem(rememberKey) === "yes"): void {
  localStorage.setItem(rememberKey, remember ? "yes" : "no");
  writeCookie(name, token, remember ? accountRules.rememberedSeconds / 86_400 : undefined);
}

export function clearToken(): void {
  localStorage.removeItem(rememberKey);
  clearCookie(name);
}
