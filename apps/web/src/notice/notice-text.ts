import type { Output } from "@arcada/contract/kernel/call";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind, noticeCalls } from "@arcada/contract/notice/notice.calls";
import type { Translate } from "../kernel/texts.ts";

export type Notices = Output<typeof noticeCalls.query>;
export type CategoryName = keyof typeof noticeCategories;
/** In the order of the tabs. */
export const categoryNames = ["order", "member", "relation", "other"] as const satisfies readonly CategoryName[];
export const ofCategory = (notices: Notices, name: CategoryName): Notices["info"]["0"] =>
  notices.info[String(noticeCategories[name]) as keyof Notices["info"]];
export const unreadIn = (notices: Notices): number =>
  categoryNames.reduce((sum, name) => sum + ofCategory(notices, name).unread, 0);

/** One line of a notice. States and kinds travel by name and are said in the reader's language here. */
export function noticeText(
  t: Translate,
  { kind, params }: { kind: NoticeKind; params: Record<string, string> },
): string {
  return t(`notice.${kind}`, {
    ...params,
    ...(params["state"] && { state: t(`notice.state.${params["state"]}`) }),
    ...(params["kind"] && { kind: t(`notice.study.${params["kind"]}`) }),
  });
}
