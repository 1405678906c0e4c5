import { Badge, Button, Text, UnstyledButton } from "@mantine/core";
import type { NoticeGroup } from "@arcada/contract/notice/notice-list.calls";
import { settledKinds } from "@arcada/contract/notice/notice-presets";
import { formatTimeAgo, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useNow } from "../browser/use-now.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatNotice, formatOrderNews } from "./notice-text.ts";
import { useOpenNotice } from "./use-open-notice.ts";
import { useNoticeGroups, useSubjectNames } from "./use-notices.ts";
import type { NoticeFilter, SubjectNames } from "./use-notices.ts";
import classes from "./notice.module.css";

/** The groups of notices, the newest first. Opening one marks it as read. */
export function NoticeList({ which, onGo }: { which: NoticeFilter; onGo: () => void }) {
  const t = useTexts("notice");
  const now = useNow();
  const query = useNoticeGroups(which);
  const { follow: openNotice } = useOpenNotice();
  const names = useSubjectNames(query.data ?? []);
  return (
    <div className={classes.list}>
      <QueryResult of={query} empty={<EmptyState title={t(which === "todo" ? "notice.emptyTodo" : "notice.empty")} />}>
        {(groups) => (
          <ul className={classes.rows}>
            {groups.map((group) => (
              <li key={group.topic}>
                <GroupItem
                  group={group}
                  names={names}
                  now={now}
                  isMarked={which === "all"}
                  onOpen={() => {
                    void openNotice(group);
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

interface GroupItemProps {
  group: NoticeGroup;
  names: SubjectNames;
  now: Date;
  /** Says beside a group that something is to be done or was done; not in the list of what is to be done. */
  isMarked: boolean;
  onOpen: () => void;
}
function GroupItem({ group, names, now, isMarked, onOpen }: GroupItemProps) {
  const t = useTexts("notice");
  const { unread, waits, notice } = group;
  const isDone = !waits && settledKinds.includes(notice.kind);
  const { title, news, number } = describeGroup(t, group, names);
  return (
    <UnstyledButton className={classes.notice} onClick={onOpen}>
      <span
        className={classes.dot}
        data-unread={unread || undefined}
        role={unread ? "img" : undefined}
        aria-label={unread ? t("notice.unread") : undefined}
      />
      <span className={classes.words}>
        <Text size="sm" fw={unread ? 600 : 400} component="span" display="block">
          {title}
        </Text>
        {news && (
          <Text size="sm" component="span" display="block">
            {news}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="span" display="block">
          {number && <bdi>{number} · </bdi>}
          <time dateTime={notice.time} title={formatTimestamp(notice.time)}>
            {formatTimeAgo(notice.time, now)}
          </time>
          {group.notices > 1 && ` · ${t("notice.events", { count: group.notices })}`}
        </Text>
      </span>
      {isMarked && (waits || isDone) && (
        <Badge size="sm" variant="light" color={waits ? "yellow" : "gray"} tt="none" className={classes.waits}>
          {t(waits ? "notice.waits" : "notice.done")}
        </Badge>
      )}
    </UnstyledButton>
  );
}

/** The case or patient in the first line, as far as the reader may know the name, and what is to be done below. */
function describeGroup(
  t: Translate,
  { orderId, patientId, notice }: NoticeGroup,
  names: SubjectNames,
): { title: string; news: string | null; number: string | null } {
  const order = orderId ? names.orders.get(orderId) : undefined;
  const news = order && formatOrderNews(t, notice);
  if (order && news) return { title: order.name, news, number: order.number };
  const patient = patientId ? names.patients.get(patientId) : undefined;
  const title = patient ? t("notice.imagesOf", { name: patient, count: notice.count }) : formatNotice(t, notice);
  return { title, news: null, number: null };
}
