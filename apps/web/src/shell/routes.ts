import { mayRole } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { parentOf } from "./parents.ts";

const all = Object.entries(screens) as [ScreenName, Screen][];

/** Returns the sidebar screens of a role, in their order. */
export const sidebarOf = (role: Role | undefined): ScreenName[] =>
  all
    .filter(([, screen]) => screen.sidebar !== undefined && mayRole(screen.access, role))
    .toSorted(([, one], [, other]) => (one.sidebar ?? 0) - (other.sidebar ?? 0))
    .map(([name]) => name);

/** Returns the screens that a role can search by title, those of the sidebar first. */
export function searchableOf(role: Role | undefined): ScreenName[] {
  const others = all
    .filter(
      ([, { bare, record, access, sidebar }]) => !bare && !record && sidebar === undefined && mayRole(access, role),
    )
    .map(([name]) => name);
  return [...sidebarOf(role), ...others];
}

/** Returns the parent screens of a screen, without the screen itself. A screen of the sidebar has none. */
export function aboveOf(name: ScreenName, role: Role): ScreenName[] {
  const parent = parentOf(name, role);
  return parent ? [parent] : [];
}
