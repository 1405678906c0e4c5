import { useRouterState } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { findScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import { afterSalesRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { inboxCountCalls } from "@arcada/contract/study/inbox-count.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useAppearance } from "../../browser/appearance.ts";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Logo } from "../../ui/logo.tsx";
import { findParentScreen } from "../screen-parents.ts";
import { listSidebarScreens } from "../screen-lists.ts";
import { getScreenIcon } from "../screen-icons.ts";
import { SidebarCount } from "./sidebar-count.tsx";
import { SidebarFooter } from "./sidebar-footer.tsx";
import { useCall } from "../../data/use-call.ts";
import { HoverTooltip } from "../../ui/overlays/hover-tooltip.tsx";
import classes from "./sidebar.module.css";

// Only after-sales staff need the calls of work orders. Without the number, its entry opens the list all the same.
const WorkorderCount = lazy(() =>
  import("./workorder-count.tsx").then(
    ({ WorkorderCount: Count }) => ({ default: Count }),
    () => ({ default: () => null }),
  ),
);

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
                <HoverTooltip label={title} position="right" disabled={!narrow}>
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
                    {name === "myWorkOrder" && hasAccess(afterSalesRoles, role) && (
                      <Suspense>
                        <WorkorderCount />
                      </Suspense>
                    )}
                  </ScreenLink>
                </HoverTooltip>
              </li>
            );
          })}
        </ul>
      </div>
      <SidebarFooter narrow={narrow} />
    </div>
  );
}

/** The number of studies that wait for a patient assignment; nothing if there are none. */
function InboxCount() {
  const t = useTexts("shell");
  const { data } = useCall(inboxCountCalls.inboxCount, {});
  return data?.count ? <SidebarCount count={data.count} title={t("shell.inboxCount", data)} /> : null;
}
