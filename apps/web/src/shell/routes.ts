import { mayRole } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { parentOf } from "./parents.ts";

const all = Object.entries(screens) as [ScreenName, Screen][];

/** The screens that a role finds in the sidebar, in their order. */
export const sidebarOf = (role: Role | undefined): ScreenName[] =>
  all
    .filter(([, screen]) => screen.sidebar !== undefined && mayRole(screen.access, role))
    .toSorted(([, one], [, other]) => (one.sidebar ?? 0) - (other.sidebar ?? 0))
    .map(([name]) => name);

/** The screens that a role finds by their titles: those of the sidebar first. */
export function searchableOf(role: Role | undefined): ScreenName[] {
  const others = all
    .filter(
      ([, { bare, record, access, sidebar }]) => !bare && !record && sidebar === undefined && mayRole(access, role),
    )
    .map(([name]) => name);
  return [...sidebarOf(role), ...others];
}

/** The screen under which a screen stands, the screen itself left out. A screen of the sidebar stands under none. */
export function aboveOf(name: ScreenName, role: Role): ScreenName[] {
  const parent = parentOf(name, role);
  return parent ? [parent] : [];
}
