import { CloseButton, Menu } from "@mantine/core";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Role } from "@arcada/contract/kernel/roles";
import { homeOf, screens } from "@arcada/contract/screens";
import { screenAt } from "../kernel/entry.ts";
import { placeOf, usePageTitles } from "../kernel/page-title.ts";
import { useRole } from "../kernel/session.ts";
import { useStore } from "../kernel/store.ts";
import { useTexts } from "../kernel/texts.ts";
import { afterClosing, tags, visited, without } from "./tags.ts";
import type { Tag } from "./tags.ts";
import { showAgain } from "./visit.ts";
import classes from "./tags-bar.module.css";

/** Tabs of the visited pages, each with its state. The start page is pinned. */
export function TagsBar() {
  const t = useTexts("shell");
  const router = useRouter();
  const role = useRole();
  const titles = usePageTitles();
  const href = useRouterState({ select: (state) => state.resolvedLocation?.href ?? state.location.href });
  const shown = useStore(tags);
  const home = role ? homeOf(role) : "/";
  const active = placeOf(href);
  const strip = useRef<HTMLUListElement>(null);

  useVisits(href);
  useNames(role);
  useEffect(() => {
    strip.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active, shown.length, titles]);

  const titleOf = ({ place, href: at }: Tag): string => {
    const name = screenAt(new URL(at, location.origin).pathname);
    return titles[place] ?? (name ? t(`shell.screen.${screens[name].title}`) : place);
  };
  const go = (to: string) => void router.navigate({ href: to });
  const close = (place: string) => {
    if (strip.current?.contains(document.activeElement)) setTimeout(keepFocus, 0, strip.current);
    const left = without(tags.get(), place);
    tags.set(left);
    const to = afterClosing(left, place, active, home);
    if (to) go(to);
  };
  const keepOnly = (kept: Tag[], to: string) => {
    tags.set(kept);
    if (placeOf(to) !== active) go(to);
  };
  const all = [{ place: home, href: home }, ...shown.filter(({ place }) => place !== home)];
  return (
    <nav aria-label={t("shell.tags")} className={classes.bar}>
      <ul className={classes.list} ref={strip}>
        {all.map((tag) => (
          <OneTag
            key={tag.place}
            tag={tag}
            title={titleOf(tag)}
            isActive={tag.place === active}
            isPinned={tag.place === home}
            onGo={() => go(shown.find(({ place }) => place === tag.place)?.href ?? tag.href)}
            onClose={() => close(tag.place)}
            onCloseOthers={() =>
              keepOnly(
                shown.filter(({ place }) => place === tag.place),
                tag.href,
              )
            }
            onCloseAll={() => keepOnly([], home)}
            onRefresh={() => (tag.place === active ? showAgain() : go(`/redirect${tag.href}`))}
          />
        ))}
      </ul>
    </nav>
  );
}

/** The element with the focus is gone. The tab of the current page gets the focus. */
function keepFocus(strip: HTMLElement): void {
  const links = [...strip.querySelectorAll("a")];
  (links.find((link) => link.ariaCurrent === "page") ?? links.at(-1))?.focus();
}

/**
 * Keeps a tab for each place. A page that replaces another in the history, like an order after its form was sent, takes
 * over its tab.
 */
function useVisits(href: string): void {
  const entry = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_index });
  const before = useRef<{ entry: number | undefined; place: string }>(undefined);
  useEffect(() => {
    if (!screenAt(new URL(href, location.origin).pathname)) return;
    const place = placeOf(href);
    const gone = before.current?.entry === entry && before.current?.place !== place ? before.current?.place : undefined;
    before.current = { entry, place };
    tags.set((now) => visited(gone ? without(now, gone) : now, href));
  }, [href, entry]);
}

/** Restores the names of tabs after a reload. */
function useNames(role: Role | undefined): void {
  useEffect(() => {
    const kept = tags.get();
    if (role && kept.length > 0) void import("./tag-names.ts").then(({ nameTags }) => nameTags(kept, role));
  }, [role]);
}

interface OneTagProps {
  tag: Tag;
  title: string;
  isActive: boolean;
  isPinned: boolean;
  onGo: () => void;
  onClose: () => void;
  onCloseOthers: () => void;
  onCloseAll: () => void;
  onRefresh: () => void;
}

function OneTag({ tag, title, isActive, isPinned, onGo, onClose, onCloseOthers, onCloseAll, onRefresh }: OneTagProps) {
  const t = useTexts("shell");
  const [isOpen, setOpen] = useState(false);
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
      <Menu opened={isOpen} onChange={setOpen} width={105} position="bottom-start" returnFocus>
        <Menu.Target>
          <span className={classes.anchor} aria-hidden />
        </Menu.Target>
        <Menu.Dropdown aria-label={t("shell.tag.menu", { title })}>
          <Menu.Item onClick={onRefresh}>{t("shell.tag.refresh")}</Menu.Item>
          {!isPinned && <Menu.Item onClick={onClose}>{t("shell.tag.close")}</Menu.Item>}
          <Menu.Item onClick={onCloseOthers}>{t("shell.tag.closeOthers")}</Menu.Item>
          <Menu.Item onClick={onCloseAll}>{t("shell.tag.closeAll")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
