import type { Output } from "@arcada/contract/kernel/call";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind, noticeCalls } from "@arcada/contract/notice/notice.calls";
import { buildNoticeText } from "@arcada/contract/notice/notice-text";
import { translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";

export type Notice = Output<typeof noticeCalls.list>["list"][number];
export type CategoryName = keyof typeof noticeCategories;
/** In the order of the settings. */
export const categoryNames = ["order", "member", "relation", "other"] as const satisfies readonly CategoryName[];

type NoticeLine = { kind: NoticeKind; params: Record<string, string>; count?: number };
/** Returns a notice as one line in the language of the page, also after the language has changed. */
export const formatNotice = (t: Translate, notice: NoticeLine): string =>
  buildNoticeText(
    (key, values) => t(`notice.${key}`, values),
    (key, name) => translateDynamic(t, `notice.${key}`, name),
    notice,
  );

/**
 * Returns what is to be done with an order, or what happened to it, beside the order's name; null for other kinds of
 * notices.
 */
export function formatOrderNews(t: Translate, { kind, params }: NoticeLine): string | null {
  const state = params["state"] ?? "";
  const values = { ...params, state: translateDynamic(t, `notice.state.${state}`, state) };
  const find = (key: string) => translateDynamic(t, `notice.about.${key}`, "", values);
  // One kind stands for several decisions; the step says which.
  const { action } = params;
  return (action && find(action)) || find(kind) || null;
}
