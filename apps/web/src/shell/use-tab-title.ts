import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { screens } from "@arcada/contract/screens";
import { screenAt } from "../kernel/entry.ts";
import { placeOf, usePageTitles } from "../kernel/page-title.ts";
import { useTexts } from "../kernel/texts.ts";

/** The browser's tab is called what the page is called. */
export function useTabTitle(): void {
  const t = useTexts("shell");
  const titles = usePageTitles();
  const { href, pathname } = useRouterState({ select: (state) => state.location });
  const name = screenAt(pathname);
  const title = titles[placeOf(href)] ?? (name && t(`shell.screen.${screens[name].title}`));
  useEffect(() => {
    document.title = title ? `${title} · ${t("common.product")}` : t("common.product");
  }, [title, t]);
}
