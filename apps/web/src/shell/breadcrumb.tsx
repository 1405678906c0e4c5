import { Breadcrumbs, Text } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import { screenAt } from "../kernel/entry.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { placeOf, usePageTitles } from "../kernel/page-title.ts";
import { useRole } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { aboveOf } from "./routes.ts";
import classes from "./breadcrumb.module.css";

/** From the start page to where one is; the last is no link. */
export function Breadcrumb() {
  const t = useTexts("shell");
  const role = useRole();
  const location = useRouterState({ select: (state) => state.location });
  const titles = usePageTitles();
  const here = screenAt(location.pathname);
  if (!here || !role) return null;
  const above = aboveOf(here, role);
  if (above.length === 0) return null;
  const title = (name: ScreenName) => t(`shell.screen.${screens[name].title}`);
  return (
    <Breadcrumbs component="nav" aria-label={t("shell.breadcrumb")} className={classes.trail} separatorMargin={8}>
      {above.map((name) => (
        <ScreenLink key={name} screen={name} className={classes.link}>
          {title(name)}
        </ScreenLink>
      ))}
      <Text size="sm" c="dimmed" aria-current="page" truncate>
        {titles[placeOf(location.href)] ?? title(here)}
      </Text>
    </Breadcrumbs>
  );
}
