import { Breadcrumbs, Text } from "@mantine/core";
import { IconChevronLeft, IconHome } from "@tabler/icons-react";
import { useRouterState } from "@tanstack/react-router";
import { findScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../browser/navigation.tsx";
import { getPageKey, usePageTitles } from "../browser/page-title.ts";
import { useHomePath, useRole } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { findParentScreens } from "./screen-lists.ts";
import classes from "./breadcrumb.module.css";

/**
 * The start page as an icon, because it is not a parent; the list to which a page belongs; the page itself, without a
 * link. A small screen has only the way back: the page's title is the next line.
 */
export function Breadcrumb({ isSmall }: { isSmall: boolean }) {
  const t = useTexts("shell");
  const role = useRole();
  const homePath = useHomePath();
  const location = useRouterState({ select: (state) => state.location });
  const titles = usePageTitles();
  const currentScreen = findScreen(location.pathname);
  if (!currentScreen || !role) return null;
  const parentScreens = findParentScreens(currentScreen, role);
  const home = homePath === null ? undefined : findScreen(homePath);
  if (currentScreen === home) return null;
  const title = (name: ScreenName) => t(`shell.screen.${screens[name].title}`);
  if (isSmall) return <BackLink screen={parentScreens.at(-1)} title={title} />;
  return (
    <Breadcrumbs component="nav" aria-label={t("shell.breadcrumb")} className={classes.trail} separatorMargin={8}>
      {home && !parentScreens.includes(home) && (
        <ScreenLink screen={home} className={classes.link} aria-label={t("shell.home")}>
          <IconHome size={16} stroke={1.8} className={classes.home} aria-hidden />
        </ScreenLink>
      )}
      {parentScreens.map((name) => (
        <ScreenLink key={name} screen={name} className={classes.link}>
          {title(name)}
        </ScreenLink>
      ))}
      <Text size="sm" c="dimmed" aria-current="page" truncate>
        {titles[getPageKey(location.href)] ?? title(currentScreen)}
      </Text>
    </Breadcrumbs>
  );
}

function BackLink({ screen, title }: { screen: ScreenName | undefined; title: (name: ScreenName) => string }) {
  const t = useTexts("shell");
  if (!screen) return null;
  return (
    <nav aria-label={t("shell.breadcrumb")} className={classes.back}>
      <ScreenLink screen={screen} className={classes.link}>
        <IconChevronLeft size={16} stroke={1.8} aria-hidden />
        {title(screen)}
      </ScreenLink>
    </nav>
  );
}
