import { hasAccess } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { findParentScreen } from "./screen-parents.ts";

const allScreens = Object.entries(screens) as [ScreenName, Screen][];

/** Returns the sidebar screens of a role, in their order. */
export const listSidebarScreens = (role: Role | undefined): ScreenName[] =>
  allScreens
    .filter(([, screen]) => screen.sidebar !== undefined && hasAccess(screen.access, role))
    .toSorted(([, one], [, other]) => (one.sidebar ?? 0) - (other.sidebar ?? 0))
    .map(([name]) => name);

/** Returns the screens that a role can search by title, those of the sidebar first. */
export function listSearchableScreens(role: Role | undefined): ScreenName[] {
  const others = allScreens
    .filter(
      ([, { bare, record, access, sidebar }]) => !bare && !record && sidebar === undefined && hasAccess(access, role),
    )
    .map(([name]) => name);
  return [...listSidebarScreens(role), ...others];
}

/** Returns the parent screens of a screen, without the screen itself. A screen of the sidebar has none. */
export function findParentScreens(name: ScreenName, role: Role): ScreenName[] {
  const parent = findParentScreen(name, role);
  return parent ? [parent] : [];
}
