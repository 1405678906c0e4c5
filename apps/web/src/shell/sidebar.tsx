import { Tooltip } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { screens } from "@arcada/contract/screens";
import { screenAt } from "../kernel/entry.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useLook } from "../kernel/look.ts";
import { useRole } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { Logo } from "../ui/logo.tsx";
import { InboxCount } from "./inbox-count.tsx";
import { parentOf } from "./parents.ts";
import { sidebarOf } from "./routes.ts";
import { screenIcon } from "./screen-icons.ts";
import { SidebarFoot } from "./sidebar-foot.tsx";
import classes from "./sidebar.module.css";
import { WorkorderCount } from "./workorder-count.tsx";

export function Sidebar({ narrow, onGo }: { narrow: boolean; onGo: () => void }) {
  const t = useTexts("shell");
  const role = useRole();
  const { logo } = useLook();
  const here = useRouterState({ select: (state) => screenAt(state.location.pathname) });
  const active = here && (parentOf(here, role) ?? here);
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
            const Icon = screenIcon(name);
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
                    {name === "inbox" && <InboxCount />}
                    {name === "myWorkOrder" && <WorkorderCount />}
                  </ScreenLink>
                </Tooltip>
              </li>
            );
          })}
        </ul>
      </div>
      <SidebarFoot narrow={narrow} />
    </div>
  );
}
