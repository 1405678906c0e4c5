import { Button, Text, UnstyledButton } from "@mantine/core";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import { listRules } from "@arcada/contract/order/order-list.filter";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import { screens } from "@arcada/contract/screens";
import { useCall } from "../data/use-call.ts";
import { useOrderNames } from "../i18n/order-name.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { formatTimeAgo, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useNow } from "../browser/use-now.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatNotice } from "./notice-text.ts";
import type { CategoryName } from "./notice-text.ts";
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

const orderPath = `${screens.orderDetail.path}?id=`;
const findOrderId = ({ link }: Pick<Notice, "link">): string | null =>
  link?.startsWith(orderPath) ? link.slice(orderPath.length) : null;

/**
 * Returns what the orders of these notices are called, by their ids. A notice itself contains the number only: the name
 * is read when it is shown, by a person who may know it.
 */
function useOrderTitles(notices: readonly Notice[]): ReadonlyMap<string, string> {
  const { title } = useOrderNames();
  const mayRead = useCanAccess(listCalls.names);
  const ids = [...new Set(notices.flatMap((notice) => findOrderId(notice) ?? []))].slice(0, listRules.maxNames);
  const { data } = useCall(
    listCalls.names,
    { ids: ids.join(",") },
    { enabled: mayRead && ids.length > 0, keepPrevious: true },
  );
  return new Map((data ?? []).map((order) => [order.id, title(order)]));
}

/** Puts the order's name in the place of its number. */
function withOrderTitle(notice: Notice, titles: ReadonlyMap<string, string>): Notice {
  const id = findOrderId(notice);
  const title = id ? titles.get(id) : undefined;
  return title ? { ...notice, params: { ...notice.params, number: title } } : notice;
}
