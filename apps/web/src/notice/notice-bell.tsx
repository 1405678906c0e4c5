import { ActionIcon, Indicator } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { noticeListCalls } from "@arcada/contract/notice/notice-list.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { HoverTooltip } from "../ui/overlays/hover-tooltip.tsx";
import { useLazyDropdown } from "../ui/overlays/use-lazy-dropdown.ts";

const load = () => import("./notice-panel.tsx");
const NoticePanel = lazy(async () => ({ default: (await load()).NoticePanel }));

/** The bell with its live unread count, and its panel. */
export function NoticeBell() {
  const t = useTexts("notice");
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "dialog");
  // The counters cover all notices; of the list, what is to be done is the cheaper part.
  const query = useCall(noticeListCalls.groups, { which: "todo" });
  // A case or an upload counts once, however much happened to it.
  const unreadCount = query.data?.unread ?? 0;
  const label = unreadCount > 0 ? t("notice.open", { count: unreadCount }) : t("notice.title");
  return (
    <>
      <HoverTooltip label={label} disabled={dropdown.opened}>
        <Indicator
          label={unreadCount > 99 ? "99+" : unreadCount}
          size={17}
          offset={6}
          color="red"
          disabled={unreadCount === 0}
        >
          <ActionIcon variant="subtle" color="gray" size={38} aria-label={label} {...button}>
            <IconBell size={20} stroke={1.6} />
          </ActionIcon>
        </Indicator>
      </HoverTooltip>
      {isUsed && (
        <Suspense>
          <NoticePanel query={query} {...dropdown} />
        </Suspense>
      )}
    </>
  );
}
