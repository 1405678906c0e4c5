import { Tooltip } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { screens } from "@arcada/contract/screens";
import { findScreen } from "../../session/start-up-route.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useAppearance } from "../../browser/appearance.ts";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Logo } from "../../ui/logo.tsx";
import { InboxCount } from "./inbox-count.tsx";
import { findParentScreen } from "../screen-parents.ts";
import { listSidebarScreens } from "../screen-lists.ts";
import { getScreenIcon } from "../screen-icons.ts";
import { SidebarFooter } from "./sidebar-footer.tsx";
import classes from "./sidebar.module.css";
import { WorkorderCount } from "./workorder-count.tsx";

export function Sidebar({ narrow, onGo }: { narrow: boolean; onGo: () => void }) {
  const t = useTexts("shell");
  const role = useRole();
  const { logo } = useAppearance();
  const currentScreen = useRouterState({ select: (state) => findScreen(state.location.pathname) });
  const active = currentScreen && (findParentScreen(currentScreen, role) ?? currentScreen);
  return (
    <div className={classes.sidebar} data-narrow={narrow || undefined}>
      {logo && (
        <div className={classes.logo}>
          <Logo iconOnly={narrow} />
        </div>
      )}
      <div className={classes.grow}>
        <ul className={classes.list}>
          {listSidebarScreens(role).map((name) => {
            const Icon = getScreenIcon(name);
            const title = t(`shell.screen.${screens[name].title}`);
            return (
              <li key={name}>
                <Tooltip label={title} position="right" disabled={!narrow}>
                  <ScreenLink
                    screen={name}
                    className={classes.item}
                    data-active={active === name || undefined}
                    aria-current={currentScreen === name ? "page" : undefined}
                    onClick={onGo}
                  >
                    <Icon size={20} stroke={1.6} />
                    <span className={classes.title}>{title}</span>
                    {name === "inbox" && <InboxCount />}
                    {name === "myWorkOrder" && <WorkorderCount />}
                  </ScreenLink>
                </Tooltip>
              </li>
            );
          })}
        </ul>
      </div>
      <SidebarFooter narrow={narrow} />
    </div>
  );
}
