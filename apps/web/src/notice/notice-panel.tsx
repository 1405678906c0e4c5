import { Button, Popover, Tabs } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { screens } from "@arcada/contract/screens";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { AnchoredPopover } from "../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../ui/overlays/use-lazy-dropdown.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { NoticeList } from "./notice-list.tsx";
import { useOpenNotice } from "./use-open-notice.ts";
import type { NoticeFilter } from "./use-notices.ts";
import classes from "./notice.module.css";

type Groups = Output<typeof noticeGroupCalls.groups>;

interface Props extends DropdownState {
  query: UseQueryResult<Groups>;
}

/** The panel that the bell opens. */
export function NoticePanel({ query, ...dropdown }: Props) {
  const t = useTexts("notice");
  return (
    <AnchoredPopover
      position="bottom-end"
      width={420}
      shadow="lg"
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal
      {...dropdown}
    >
      <Popover.Dropdown role="dialog" aria-label={t("notice.title")} p={0} maw="calc(100vw - 24px)">
        <h2 className={classes.title} tabIndex={-1} data-autofocus>
          {t("notice.title")}
        </h2>
        <NoticeTabs query={query} onNavigate={() => dropdown.onChange(false)} />
      </Popover.Dropdown>
    </AnchoredPopover>
  );
}

/** The notices that wait, all notices, and a link to the settings. */
function NoticeTabs({ query, onNavigate }: { query: UseQueryResult<Groups>; onNavigate: () => void }) {
  const t = useTexts("notice");
  const [shown, setShown] = useState<NoticeFilter | null>(null);
  const markReadCall = useCommand(noticeGroupCalls.markRead);
  const { go } = useOpenNotice();
  const tabs = useRef<HTMLDivElement>(null);
  const markRead = async () => {
    await markReadCall.run({});
    // The button has no function any more, so the focus must move on.
    tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  };
  // Set once: doing the last thing must not switch the tab.
  if (shown === null && query.data) setShown(query.data.todo > 0 ? "todo" : "all");
  return (
    <QueryResult of={query}>
      {({ unread, todo }) => (
        <Tabs value={shown ?? "all"} onChange={(value) => setShown(value as NoticeFilter)}>
          <Tabs.List ref={tabs} className={classes.tabs} aria-label={t("notice.filter.title")}>
            <Tabs.Tab value="todo" rightSection={<Count count={todo} />}>
              {t("notice.filter.todo")}
            </Tabs.Tab>
            <Tabs.Tab value="all" rightSection={<Count count={unread} isUnread />}>
              {t("notice.filter.all")}
            </Tabs.Tab>
          </Tabs.List>
          {(["todo", "all"] as const).map((which) => (
            <Tabs.Panel key={which} value={which} keepMounted={false}>
              <NoticeList which={which} onGo={onNavigate} />
            </Tabs.Panel>
          ))}
          <div className={classes.foot}>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<IconSettings size={15} stroke={1.6} aria-hidden />}
              onClick={() => {
                go(`${screens.profile.path}#notices`);
                onNavigate();
              }}
            >
              {t("notice.settings.title")}
            </Button>
            <Button
              variant="subtle"
              size="compact-sm"
              loading={markReadCall.busy}
              disabled={unread === 0}
              onClick={() => void markRead()}
            >
              {t("notice.markRead")}
            </Button>
          </div>
        </Tabs>
      )}
    </QueryResult>
  );
}

const Count = ({ count, isUnread = false }: { count: number; isUnread?: boolean }) =>
  count > 0 ? (
    <span className={classes.count} data-unread={isUnread || undefined}>
      {count > 99 ? "99+" : count}
    </span>
  ) : null;
