import { findScreen, refreshPrefix } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import { homePathOf } from "@arcada/contract/start-page";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import type { StartPage } from "@arcada/contract/start-page";
import { afterSalesRoles, hasAccess, findRole, roles, serviceRoles } from "@arcada/contract/kernel/roles";
import { noInstitution } from "@arcada/contract/kernel/fields";

export const getScreen = (name: ScreenName): Screen => screens[name];

/** The sign-in pages: a signed-in user is redirected from them. */
export const signInScreens: readonly ScreenName[] = ["login", "register", "forgot", "authRedirect"];

export const isSignInPath = (path: string): boolean => {
  const name = findScreen(path);
  return name !== undefined && signInScreens.includes(name);
};

export interface RoutedUser {
  authorityId: number;
  iid: string;
  /** No page of the institution opens before two-step authentication is set up. */
  factorRequired?: boolean;
}

/**
 * Returns the address to which the reader of an address is redirected, or null if they may stay. `who` is null if
 * nobody is signed in; `start` is the page with which they start.
 */
export function findRedirect(
  path: string,
  address: string,
  user: RoutedUser | null,
  start: StartPage = "today",
): string | null {
  const name = findScreen(path);
  if (!user) {
    if (name && getScreen(name).access === "anyone") return null;
    return `${screens.login.path}?redirect=${encodeURIComponent(address)}`;
  }
  const role = findRole(user.authorityId);
  const home = homePathOf(role, start);
  // The service roles of the platform work in no institution, but have pages of their own.
  const hasNoInstitution = role === "newUser" || (user.iid === noInstitution && !hasAccess(serviceRoles, role));
  if (path === "/" || isSignInPath(path)) return hasNoInstitution || user.factorRequired ? screens.profile.path : home;
  if (!name) return screens.notFound.path;
  if (getScreen(name).access === "anyone") return null;
  if (hasNoInstitution || user.factorRequired) return name === "profile" ? null : screens.profile.path;
  return hasAccess(getScreen(name).access, role) ? null : screens.notAllowed.path;
}

/** The authority of the after-sales service to which a user of its entry page changes; null if they hold none. */
export const findServiceAuthority = (held: readonly { authorityId: number }[]): number | null =>
  afterSalesRoles
    .map((role) => roles[role].authorityId)
    .find((id) => held.some(({ authorityId }) => authorityId === id)) ?? null;

/** The page that `/redirect/{path}` names, to be rendered anew; null for any other address. */
export const findRefreshTarget = (address: string, origin: string): string | null =>
  address.startsWith(refreshPrefix) ? toSafePath(address.slice(refreshPrefix.length - 1), origin) : null;

/**
 * The path that `redirect` names, if it is one of ours; never another site, never a sign-in page, never with a code
 * that would sign in another user.
 */
export function toSafePath(redirect: string | null, origin: string): string {
  if (!redirect || !URL.canParse(redirect, origin)) return "/";
  const target = new URL(redirect, origin);
  // "/.//elsewhere.example" is ours to the parser, and its path alone would be another site to the browser.
  if (target.origin !== origin || target.pathname.startsWith("//")) return "/";
  if (isSignInPath(target.pathname)) return "/";
  if (target.searchParams.has("token")) target.searchParams.delete("token");
  return target.pathname + target.search + target.hash;
}
