import { Button, Tabs } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { noticeCalls, noticeCategories } from "@arcada/contract/notice/notice.calls";
import { screens } from "@arcada/contract/screens";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { NoticeList } from "./notice-list.tsx";
import { categoryNames, getCategory } from "./notice-text.ts";
import type { CategoryName, NoticeSummary } from "./notice-text.ts";
import { useOpenNotice } from "./use-open-notice.ts";
import classes from "./notice.module.css";

/** The panel that the bell opens: the categories with their unread counts, and a link to the settings. */
export function NoticePanel({ query, onNavigate }: { query: UseQueryResult<NoticeSummary>; onNavigate: () => void }) {
  const t = useTexts("notice");
  const [shown, setShown] = useState<CategoryName | null>(null);
  const markReadCall = useCommand(noticeCalls.watch);
  const { go } = useOpenNotice();
  const tabs = useRef<HTMLDivElement>(null);
  const markRead = async () => {
    await markReadCall.run({ categoryID: noticeCategories[active] });
    // The button has no function any more, so the focus must move on.
    tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  };
  const firstUnread = query.data && categoryNames.find((name) => getCategory(query.data, name).unread > 0);
  // Set once: reading the last notice of a category must not switch the tab.
  if (shown === null && query.data) setShown(firstUnread ?? "order");
  const active = shown ?? firstUnread ?? "order";
  return (
    <QueryResult of={query}>
      {(notices) => (
        <Tabs value={active} onChange={(value) => setShown(value as CategoryName)}>
          <Tabs.List ref={tabs} grow className={classes.tabs} aria-label={t("notice.title")}>
            {categoryNames.map((name) => (
              <Tabs.Tab
                key={name}
                value={name}
                rightSection={<UnreadCount count={getCategory(notices, name).unread} />}
              >
                {t(`notice.category.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {categoryNames.map((name) => (
            <Tabs.Panel key={name} value={name} keepMounted={false}>
              <NoticeList category={name} onGo={onNavigate} />
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
              disabled={getCategory(notices, active).unread === 0}
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

const UnreadCount = ({ count }: { count: number }) =>
  count > 0 ? <span className={classes.count}>{count > 99 ? "99+" : count}</span> : null;
