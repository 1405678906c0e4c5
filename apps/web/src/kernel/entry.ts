import { homeOf, screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { afterSalesRoles, mayRole, roleOf } from "@arcada/contract/kernel/roles";
import { noInstitution } from "@arcada/contract/kernel/fields";

const byPath = new Map(Object.entries(screens).map(([name, screen]) => [screen.path as string, name as ScreenName]));
export const screenAt = (path: string): ScreenName | undefined =>
  byPath.get(path.length > 1 ? path.replace(/\/$/, "") : path);
export const screenOf = (name: ScreenName): Screen => screens[name];

/** The sign-in pages: whoever is signed in has no business there. */
export const doors: readonly ScreenName[] = ["login", "register", "forgot", "authRedirect"];

export interface Visitor {
  authorityId: number;
  iid: string;
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
  const isAfterSales = (afterSalesRoles as readonly string[]).includes(role);
  const isHomeless = role === "newUser" || (who.iid === noInstitution && !isAfterSales);
  if (path === "/" || (name && doors.includes(name))) return isHomeless ? screens.profile.path : home;
  if (!name) return screens.notFound.path;
  if (screenOf(name).access === "anyone") return null;
  if (isHomeless) return name === "profile" ? null : screens.profile.path;
  return mayRole(screenOf(name).access, role) ? null : screens.notAllowed.path;
}

/** The place that `redirect` names, when it is one of ours; never another site, never the sign-in again. */
export function ownPath(redirect: string | null, origin: string): string {
  if (!redirect || !URL.canParse(redirect, origin)) return "/";
  const target = new URL(redirect, origin);
  if (target.origin !== origin || screenAt(target.pathname) === "login") return "/";
  return target.pathname + target.search + target.hash;
}
