import { ActionIcon, Indicator, Popover, Tooltip } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { LoadingState } from "../ui/page-states.tsx";
import classes from "./notice.module.css";

const NoticePanel = lazy(async () => ({ default: (await import("./notice-panel.tsx")).NoticePanel }));

/** The bell with its live unread count, and its panel. */
export function NoticeBell() {
  const t = useTexts("notice");
  const [isOpen, setOpen] = useState(false);
  // The counters cover all notices; of the list, what is to be done is the cheaper part.
  const query = useCall(noticeGroupCalls.groups, { which: "todo" });
  // A case or an upload counts once, however much happened to it.
  const unreadCount = query.data?.unread ?? 0;
  const label = unreadCount > 0 ? t("notice.open", { count: unreadCount }) : t("notice.title");
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={420}
      shadow="lg"
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <Indicator
            label={unreadCount > 99 ? "99+" : unreadCount}
            size={17}
            offset={6}
            color="red"
            disabled={unreadCount === 0}
          >
            <ActionIcon
              variant="subtle"
              color="gray"
              size={38}
              onClick={() => setOpen((now) => !now)}
              aria-label={label}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
            >
              <IconBell size={20} stroke={1.6} />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t("notice.title")} p={0} maw="calc(100vw - 24px)">
        <h2 className={classes.title} tabIndex={-1} data-autofocus>
          {t("notice.title")}
        </h2>
        <Suspense fallback={<LoadingState />}>
          <NoticePanel query={query} onNavigate={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
