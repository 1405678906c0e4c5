import { CloseButton } from "@mantine/core";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import type { Role } from "@arcada/contract/kernel/roles";
import { findScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import { getPageKey, usePageTitles } from "../../browser/page-title.ts";
import { useHomePath, useRole } from "../../session/current-user.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { findPageAfterClosing, pageTabs, addVisitedPage, listNamedRecords, removeTab } from "./page-tabs.ts";
import type { PageTab } from "./page-tabs.ts";
import { remountPage } from "../remount-page.ts";
import classes from "./tabs-bar.module.css";

const PageTabMenu = lazy(async () => ({ default: (await import("./page-tab-menu.tsx")).PageTabMenu }));

/** Tabs of the visited pages, each with its state. The start page is pinned. */
export function TabsBar() {
  const t = useTexts("shell");
  const router = useRouter();
  const role = useRole();
  const titles = usePageTitles();
  const href = useRouterState({ select: (state) => state.resolvedLocation?.href ?? state.location.href });
  const shown = useStore(pageTabs);
  const home = useHomePath() ?? "/";
  const active = getPageKey(href);
  const list = useRef<HTMLUListElement>(null);

  useTabForPage(href);
  useRestoredTabNames(role);
  useEffect(() => {
    list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active, shown, titles]);

  const getTitle = ({ place, href: at }: PageTab): string => {
    const name = findScreen(new URL(at, location.origin).pathname);
    return titles[place] ?? (name ? t(`shell.screen.${screens[name].title}`) : place);
  };
  const go = (to: string) => void router.navigate({ href: to });
  const close = (place: string) => {
    if (list.current?.contains(document.activeElement)) setTimeout(focusCurrentTab, 0, list.current);
    const left = removeTab(pageTabs.get(), place);
    pageTabs.set(left);
    const to = findPageAfterClosing(left, place, active, home);
    if (to) go(to);
  };
  const closeAllBut = (kept: PageTab[], to: string) => {
    pageTabs.set(kept);
    if (getPageKey(to) !== active) go(to);
  };
  const all = [{ place: home, href: home }, ...shown.filter(({ place }) => place !== home)];
  return (
    <nav aria-label={t("shell.tags")} className={classes.bar}>
      <ul className={classes.list} ref={list}>
        {all.map((tag) => (
          <PageTabItem
            key={tag.place}
            tag={tag}
            title={getTitle(tag)}
            isActive={tag.place === active}
            isPinned={tag.place === home}
            onGo={() => go(shown.find(({ place }) => place === tag.place)?.href ?? tag.href)}
            onClose={() => close(tag.place)}
            onCloseOthers={() =>
              closeAllBut(
                shown.filter(({ place }) => place === tag.place),
                tag.href,
              )
            }
            onCloseAll={() => closeAllBut([], home)}
            onRefresh={() => (tag.place === active ? remountPage() : go(`/redirect${tag.href}`))}
          />
        ))}
      </ul>
    </nav>
  );
}

/** Moves the focus to the tab of the current page, because the element with the focus was removed. */
function focusCurrentTab(list: HTMLElement): void {
  const links = [...list.querySelectorAll("a")];
  (links.find((link) => link.ariaCurrent === "page") ?? links.at(-1))?.focus();
}

/**
 * Keeps a tab for each page. A page that replaces another in the history, like an order after its form was sent, takes
 * over its tab.
 */
function useTabForPage(href: string): void {
  const entry = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_index });
  const before = useRef<{ entry: number | undefined; place: string }>(undefined);
  useEffect(() => {
    if (!findScreen(new URL(href, location.origin).pathname)) return;
    const place = getPageKey(href);
    const replacedPage =
      before.current?.entry === entry && before.current?.place !== place ? before.current?.place : undefined;
    before.current = { entry, place };
    pageTabs.set((now) => addVisitedPage(replacedPage ? removeTab(now, replacedPage) : now, href));
  }, [href, entry]);
}

/** Restores the names of tabs after a reload. */
function useRestoredTabNames(role: Role | undefined): void {
  useEffect(() => {
    const kept = pageTabs.get();
    if (role && listNamedRecords(kept).length > 0)
      void import("./restore-tab-names.ts").then(({ restoreTabNames: nameTags }) => nameTags(kept, role));
  }, [role]);
}

interface PageTabItemProps {
  tag: PageTab;
  title: string;
  isActive: boolean;
  isPinned: boolean;
  onGo: () => void;
  onClose: () => void;
  onCloseOthers: () => void;
  onCloseAll: () => void;
  onRefresh: () => void;
}

function PageTabItem({
  tag,
  title,
  isActive,
  isPinned,
  onGo,
  onClose,
  onCloseOthers,
  onCloseAll,
  onRefresh,
}: PageTabItemProps) {
  const t = useTexts("shell");
  // Null until the menu is opened for the first time.
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <li
      className={classes.tag}
      data-active={isActive || undefined}
      onContextMenu={(event) => {
        event.preventDefault();
        setOpen(true);
      }}
    >
      <a
        href={tag.href}
        className={classes.link}
        aria-current={isActive ? "page" : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onGo();
        }}
        onKeyDown={(event) => {
          if (event.key === "Delete" && !isPinned) onClose();
          if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {title}
      </a>
      {!isPinned && (
        <CloseButton
          size={24}
          iconSize={12}
          className={classes.close}
          aria-label={`${t("shell.tag.close")}: ${title}`}
          onClick={onClose}
        />
      )}
      <span className={classes.anchor} ref={anchor} aria-hidden />
      {isOpen !== null && (
        <Suspense>
          <PageTabMenu
            anchor={anchor}
            opened={isOpen}
            onChange={setOpen}
            title={title}
            onRefresh={onRefresh}
            onClose={isPinned ? undefined : onClose}
            onCloseOthers={onCloseOthers}
            onCloseAll={onCloseAll}
          />
        </Suspense>
      )}
    </li>
  );
}
