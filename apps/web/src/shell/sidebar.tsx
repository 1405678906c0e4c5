import { Tooltip } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { IconBuilding, IconClipboardList, IconTopologyStar3, IconUsers, IconUsersGroup } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { mayRole } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { screenAt } from "../kernel/entry.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useLook } from "../kernel/look.ts";
import { useRole } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { Logo } from "../ui/logo.tsx";
import { parentOf } from "./parents.ts";
import { StorageBar } from "./storage-bar.tsx";
import classes from "./sidebar.module.css";

type Icon = ComponentType<{ size?: number; stroke?: number }>;
const icons: Partial<Record<ScreenName, Icon>> = {
  patientList: IconUsers,
  orderList: IconClipboardList,
  relationWeb: IconTopologyStar3,
  member: IconUsersGroup,
  institution: IconBuilding,
};

/** The screens that a role finds in the sidebar, in their order. */
export const sidebarOf = (role: Role | undefined): ScreenName[] =>
  (Object.entries(screens) as [ScreenName, Screen][])
    .filter(([, screen]) => screen.sidebar !== undefined && mayRole(screen.access, role))
    .toSorted(([, one], [, other]) => (one.sidebar ?? 0) - (other.sidebar ?? 0))
    .map(([name]) => name);

export function Sidebar({ narrow, onGo }: { narrow: boolean; onGo: () => void }) {
  const t = useTexts("shell");
  const role = useRole();
  const { logo } = useLook();
  const here = useRouterState({ select: (state) => screenAt(state.location.pathname) });
  const active = here && (parentOf(here) ?? here);
  return (
    <div className={classes.sidebar} data-narrow={narrow || undefined}>
      {logo && (
        <div className={classes.logo}>
          <Logo bare={narrow} />
        </div>
      )}
      <div className={classes.grow}>
        <ul className={classes.list}>
          {sidebarOf(role).map((name) => {
            const Icon = icons[name] ?? IconClipboardList;
            const title = t(`shell.screen.${screens[name].title}`);
            return (
              <li key={name}>
                <Tooltip label={title} position="right" disabled={!narrow}>
                  <ScreenLink
                    screen={name}
                    className={classes.item}
                    data-active={active === name || undefined}
                    aria-current={here === name ? "page" : undefined}
                    onClick={onGo}
                  >
                    <Icon size={20} stroke={1.6} />
                    <span className={classes.title}>{title}</span>
                  </ScreenLink>
                </Tooltip>
              </li>
            );
          })}
        </ul>
      </div>
      <StorageBar narrow={narrow} />
    </div>
  );
}
