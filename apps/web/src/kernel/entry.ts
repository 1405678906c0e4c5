import { homeOf, screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { afterSalesRoles, mayRole, roleOf, roles, serviceRoles } from "@arcada/contract/kernel/roles";
import { noInstitution } from "@arcada/contract/kernel/fields";

const byPath = new Map(Object.entries(screens).map(([name, screen]) => [screen.path as string, name as ScreenName]));
export const screenAt = (path: string): ScreenName | undefined =>
  byPath.get(path.length > 1 ? path.replace(/\/$/, "") : path);
export const screenOf = (name: ScreenName): Screen => screens[name];

/** The sign-in pages: whoever is signed in has no business there. */
export const doors: readonly ScreenName[] = ["login", "register", "forgot", "authRedirect"];

export const isDoor = (path: string): boolean => {
  const name = screenAt(path);
  return name !== undefined && doors.includes(name);
};

/** Where people of the after-sales service come in who work in another role just now. */
export const serviceEntry = "/service";
const again = "/redirect/";

export interface Visitor {
  authorityId: number;
  iid: string;
  /** Nothing of the organisation opens before a second step at sign-in is set up. */
  factorRequired?: boolean;
}

/** Where somebody who opens an address is sent instead; null: they may stay. `who` null: nobody is signed in. */
export function sendElsewhere(path: string, address: string, who: Visitor | null): string | null {
  const name = screenAt(path);
  if (!who) {
    if (name && screenOf(name).access === "anyone") return null;
    return `${screens.login.path}?redirect=${encodeURIComponent(address)}`;
  }
  const role = roleOf(who.authorityId);
  const home = homeOf(role);
  // Who looks after the platform works in no organisation, but has pages of their own.
  const isHomeless = role === "newUser" || (who.iid === noInstitution && !mayRole(serviceRoles, role));
  if (path === "/" || isDoor(path)) return isHomeless || who.factorRequired ? screens.profile.path : home;
  if (!name) return screens.notFound.path;
  if (screenOf(name).access === "anyone") return null;
  if (isHomeless || who.factorRequired) return name === "profile" ? null : screens.profile.path;
  return mayRole(screenOf(name).access, role) ? null : screens.notAllowed.path;
}

/** The authority of the service in which somebody goes on who came in by its entry; null: they hold none. */
export const serviceAuthority = (held: readonly { authorityId: number }[]): number | null =>
  afterSalesRoles
    .map((role) => roles[role].authorityId)
    .find((id) => held.some(({ authorityId }) => authorityId === id)) ?? null;

/** The page that `/redirect/{path}` names, to be made anew; null: the address is another. */
export const shownAgain = (address: string, origin: string): string | null =>
  address.startsWith(again) ? ownPath(address.slice(again.length - 1), origin) : null;

/**
 * The place that `redirect` names, when it is one of ours; never another site, never a sign-in page, never with a code
 * that would sign somebody else in.
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
