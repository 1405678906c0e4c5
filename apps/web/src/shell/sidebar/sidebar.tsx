import { Badge } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { findScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import { afterSalesRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useAppearance } from "../../browser/appearance.ts";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Logo } from "../../ui/logo.tsx";
import { findParentScreen } from "../screen-parents.ts";
import { listSidebarScreens } from "../screen-lists.ts";
import { getScreenIcon } from "../screen-icons.ts";
import { SidebarFooter } from "./sidebar-footer.tsx";
import { useCall } from "../../data/use-call.ts";
import { HoverTooltip } from "../../ui/overlays/hover-tooltip.tsx";
import classes from "./sidebar.module.css";

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
                    {name === "myWorkOrder" && <WorkorderCount />}
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
  const { data } = useCall(inboxCalls.inboxCount, {});
  return data?.count ? <SidebarCount count={data.count} title={t("shell.inboxCount", data)} /> : null;
}

/** The number of waiting items behind a sidebar entry; `title` describes them. */
function SidebarCount({ count, title }: { count: number; title: string }) {
  return (
    <Badge size="sm" circle={count < 10} className={classes.count} title={title}>
      {count > 99 ? "99+" : count}
    </Badge>
  );
}

/** The number of open work orders that the reader has not opened yet. The operator has no work orders. */
function WorkorderCount() {
  const t = useTexts("workorder");
  const isTheirs = hasAccess(afterSalesRoles, useRole());
  const { data } = useCall(workorderCalls.list, { pageSize: 1 }, { enabled: isTheirs });
  const count = data?.unread ?? 0;
  return count > 0 ? <SidebarCount count={count} title={t("workorder.list.unreadCount", { count })} /> : null;
}
