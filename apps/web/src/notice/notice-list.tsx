import { Badge, Button, Tabs, Text, UnstyledButton } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import { showAgo, showFullTime } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";
import { Answer } from "../ui/answer.tsx";
import { EmptyState } from "../ui/states.tsx";
import { noticeText } from "./notice-text.ts";
import classes from "./notice.module.css";

type Notices = Output<typeof noticeCalls.query>;
type Category = Notices["info"]["0"];
type CategoryName = keyof typeof noticeCategories;
const order: CategoryName[] = ["order", "relation", "member", "other"];
const of = (notices: Notices, name: CategoryName): Category =>
  notices.info[String(noticeCategories[name]) as keyof Notices["info"]];

/** Notices by category. A category is read when somebody says so, or follows one of its links. */
export function NoticeList({ query, onGo }: { query: UseQueryResult<Notices>; onGo: () => void }) {
  const t = useTexts("notice");
  const [shown, setShown] = useState<CategoryName | null>(null);
  const watch = useCommand(noticeCalls.watch);
  const router = useRouter();
  const first = query.data && order.find((name) => of(query.data, name).unread > 0);
  const active = shown ?? first ?? "order";
  return (
    <Answer of={query}>
      {(notices) => (
        <Tabs value={active} onChange={(value) => setShown(value as CategoryName)} aria-label={t("notice.title")}>
          <Tabs.List grow className={classes.tabs}>
            {order.map((name) => (
              <Tabs.Tab key={name} value={name} rightSection={<Unread count={of(notices, name).unread} />}>
                {t(`notice.category.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={active}>
            <div className={classes.list}>
              {of(notices, active).list.length === 0 && <EmptyState title={t("notice.empty")} />}
              {of(notices, active).list.map((one) => (
                <OneNotice
                  key={one.id}
                  notice={one}
                  onOpen={() => {
                    if (!one.seen) void watch.run({ categoryID: noticeCategories[noticeKinds[one.kind]] });
                    if (one.link) void router.navigate({ href: one.link });
                    onGo();
                  }}
                />
              ))}
            </div>
            {of(notices, active).unread > 0 && (
              <div className={classes.foot}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  loading={watch.busy}
                  onClick={() => void watch.run({ categoryID: noticeCategories[active] })}
                >
                  {t("notice.markRead")}
                </Button>
              </div>
            )}
          </Tabs.Panel>
        </Tabs>
      )}
    </Answer>
  );
}

function OneNotice({ notice: one, onOpen }: { notice: Category["list"][number]; onOpen: () => void }) {
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
          {noticeText(t, one)}
        </Text>
        <Text size="xs" c="dimmed" component="time" dateTime={one.time} title={showFullTime(one.time)}>
          {showAgo(one.time)}
        </Text>
      </span>
    </UnstyledButton>
  );
}

const Unread = ({ count }: { count: number }) =>
  count > 0 ? (
    <Badge size="xs" color="red" variant="filled">
      {count > 99 ? "99+" : count}
    </Badge>
  ) : null;
