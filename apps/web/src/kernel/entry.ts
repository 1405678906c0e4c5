import { homeOf, screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { afterSalesRoles, mayRole, roleOf, roles, serviceRoles } from "@arcada/contract/kernel/roles";
import { noInstitution } from "@arcada/contract/kernel/fields";

const byPath = new Map(Object.entries(screens).map(([name, screen]) => [screen.path as string, name as ScreenName]));
export const screenAt = (path: string): ScreenName | undefined =>
  byPath.get(path.length > 1 ? path.replace(/\/$/, "") : path);
export const screenOf = (name: ScreenName): Screen => screens[name];

/** The sign-in pages: a signed-in user is redirected from them. */
export const doors: readonly ScreenName[] = ["login", "register", "forgot", "authRedirect"];

export const isDoor = (path: string): boolean => {
  const name = screenAt(path);
  return name !== undefined && doors.includes(name);
};

/** The entry page of people of the after-sales service who work in another role at the moment. */
export const serviceEntry = "/service";
const again = "/redirect/";

export interface Visitor {
  authorityId: number;
  iid: string;
  /** No page of the institution opens before two-step authentication is set up. */
  factorRequired?: boolean;
}

/**
 * Returns the address to which the reader of an address is redirected, or null if they may stay. `who` is null if
 * nobody is signed in.
 */
export function sendElsewhere(path: string, address: string, who: Visitor | null): string | null {
  const name = screenAt(path);
  if (!who) {
    if (name && screenOf(name).access === "anyone") return null;
    return `${screens.login.path}?redirect=${encodeURIComponent(address)}`;
  }
  const role = roleOf(who.authorityId);
  const home = homeOf(role);
  // The service roles of the platform work in no institution, but have pages of their own.
  const isHomeless = role === "newUser" || (who.iid === noInstitution && !mayRole(serviceRoles, role));
  if (path === "/" || isDoor(path)) return isHomeless || who.factorRequired ? screens.profile.path : home;
  if (!name) return screens.notFound.path;
  if (screenOf(name).access === "anyone") return null;
  if (isHomeless || who.factorRequired) return name === "profile" ? null : screens.profile.path;
  return mayRole(screenOf(name).access, role) ? null : screens.notAllowed.path;
}

/** The authority of the after-sales service to which a user of its entry page changes; null if they hold none. */
export const serviceAuthority = (held: readonly { authorityId: number }[]): number | null =>
  afterSalesRoles
    .map((role) => roles[role].authorityId)
    .find((id) => held.some(({ authorityId }) => authorityId === id)) ?? null;

/** The page that `/redirect/{path}` names, to be rendered anew; null for any other address. */
export const shownAgain = (address: string, origin: string): string | null =>
  address.startsWith(again) ? ownPath(address.slice(again.length - 1), origin) : null;

/**
 * The path that `redirect` names, if it is one of ours; never another site, never a sign-in page, never with a code
 * that would sign in another user.
 */
export function ownPath(redirect: string | null, origin: string): string {
  if (!redirect || !URL.canParse(redirect, origin)) return "/";
  const target = new URL(redirect, origin);
  // "/.//elsewhere.example" is ours to the parser, and its path alone would be another site to the browser.
  if (target.origin !== origin || target.pathname.startsWith("//")) return "/";
  if (isDoor(target.pathname)) return "/";
  if (target.searchParams.has("token")) target.searchParams.delete("token");
  return target.pathname + target.search + target.hash;
}
