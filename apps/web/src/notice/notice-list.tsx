import { Button, Text, UnstyledButton } from "@mantine/core";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import { formatTimeAgo, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useNow } from "../browser/use-now.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatNotice } from "./notice-text.ts";
import type { CategoryName } from "./notice-text.ts";
import { useOrderTitles, withOrderTitle } from "./notice-order-titles.ts";
import { useOpenNotice } from "./use-open-notice.ts";
import { useNotices } from "./use-notices.ts";
import type { Notice } from "./use-notices.ts";
import classes from "./notice.module.css";

/** The notices of one category, newest first. Opening one marks it as read. */
export function NoticeList({ category, onGo }: { category: CategoryName; onGo: () => void }) {
  const t = useTexts("notice");
  const now = useNow();
  const query = useNotices(noticeCategories[category]);
  const { follow: openNotice } = useOpenNotice();
  const orderTitles = useOrderTitles(query.data ?? []);
  return (
    <div className={classes.list}>
      <QueryResult of={query} empty={<EmptyState title={t("notice.empty")} />}>
        {(notices) => (
          <ul className={classes.rows}>
            {notices.map((one) => (
              <li key={one.id}>
                <NoticeItem
                  notice={withOrderTitle(one, orderTitles)}
                  now={now}
                  onOpen={() => {
                    void openNotice(one);
                    onGo();
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="subtle"
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("notice.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

function NoticeItem({ notice: one, now, onOpen }: { notice: Notice; now: Date; onOpen: () => void }) {
  const t = useTexts("notice");
  return (
    <UnstyledButton className={classes.notice} onClick={onOpen}>
      <span
        className={classes.dot}
        data-unread={!one.seen || undefined}
        role={one.seen ? undefined : "img"}
        aria-label={one.seen ? undefined : t("notice.unread")}
      />
      <span className={classes.words}>
        <Text size="sm" fw={one.seen ? 400 : 600} component="span" display="block">
          {formatNotice(t, one)}
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={one.time} title={formatTimestamp(one.time)}>
          {formatTimeAgo(one.time, now)}
        </Text>
      </span>
    </UnstyledButton>
  );
}
