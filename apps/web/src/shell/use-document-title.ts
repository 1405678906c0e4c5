import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { screens } from "@arcada/contract/screens";
import { findScreen } from "../session/start-up-route.ts";
import { idleState } from "../session/idle-watch.ts";
import { getPageKey, usePageTitles } from "../browser/page-title.ts";
import { useStore } from "../browser/external-store.ts";
import { useTexts } from "../i18n/texts.ts";

/** Sets the title of the browser's tab to the page's title. */
export function useDocumentTitle(): void {
  const t = useTexts("shell");
  const titles = usePageTitles();
  const { href, pathname } = useRouterState({ select: (state) => state.location });
  const name = findScreen(pathname);
  // The title of the browser's tab is visible on a locked screen, too.
  const isLocked = useStore(idleState).kind === "locked";
  const title = isLocked ? undefined : (titles[getPageKey(href)] ?? (name && t(`shell.screen.${screens[name].title}`)));
  useEffect(() => {
    document.title = title ? `${title} · ${t("common.product")}` : t("common.product");
  }, [title, t]);
}
