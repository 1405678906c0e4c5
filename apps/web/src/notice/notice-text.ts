import type { Output } from "@arcada/contract/kernel/call";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind, noticeCalls } from "@arcada/contract/notice/notice.calls";
import { buildNoticeText } from "@arcada/contract/notice/notice-text";
import { translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";

export type NoticeSummary = Output<typeof noticeCalls.query>;
export type CategoryName = keyof typeof noticeCategories;
/** In the order of the tabs. */
export const categoryNames = ["order", "member", "relation", "other"] as const satisfies readonly CategoryName[];
export const getCategory = (notices: NoticeSummary, name: CategoryName): NoticeSummary["info"]["0"] =>
  notices.info[String(noticeCategories[name]) as keyof NoticeSummary["info"]];
export const countUnread = (notices: NoticeSummary): number =>
  categoryNames.reduce((sum, name) => sum + getCategory(notices, name).unread, 0);

/** Returns a notice as one line in the language of the page, also after the language has changed. */
export const formatNotice = (t: Translate, notice: { kind: NoticeKind; params: Record<string, string> }): string =>
  buildNoticeText(
    (kind, values) => t(`notice.${kind}`, values),
    (key, name) => translateDynamic(t, `notice.${key}`, name),
    notice,
  );
