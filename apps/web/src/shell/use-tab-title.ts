import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { screens } from "@arcada/contract/screens";
import { findScreen } from "../kernel/entry.ts";
import { idleState } from "../kernel/idle.ts";
import { getPageKey, usePageTitles } from "../kernel/page-title.ts";
import { useStore } from "../kernel/store.ts";
import { useTexts } from "../kernel/texts.ts";

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
