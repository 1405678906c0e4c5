import type { Output } from "@arcada/contract/kernel/call";
import { noticeCategories } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind, noticeCalls } from "@arcada/contract/notice/notice.calls";
import { buildNoticeText } from "@arcada/contract/notice/notice-text";
import { formatDateTime } from "../i18n/format.ts";
import { translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";

export type Notice = Output<typeof noticeCalls.list>["list"][number];
export type CategoryName = keyof typeof noticeCategories;
/** In the order of the settings. */
export const categoryNames = ["order", "member", "relation", "other"] as const satisfies readonly CategoryName[];

type NoticeLine = { kind: NoticeKind; params: Record<string, string>; count?: number };
/** Translates states and kinds, which an older version of the product may have recorded. */
const translateName = (t: Translate, key: string, name: string): string => translateDynamic(t, `notice.${key}`, name);

/** Returns a notice as one line in the language of the page, also after the language has changed. */
export const formatNotice = (t: Translate, notice: NoticeLine): string =>
  buildNoticeText(
    (key, values) => t(`notice.${key}`, values),
    (key, name) => translateName(t, key, name),
    formatDateTime,
    notice,
  );

/** One kind stands for several decisions; these steps say which. */
const describedSteps = ["submitScheme", "submitDesign", "requestCancel", "proposeChange", "dispatch"] as const;
const describedKinds = [
  "orderArrived",
  "orderMoved",
  "orderAccepted",
  "orderInfoAsked",
  "orderAnswered",
  "orderMentioned",
  "orderToDecide",
  "orderReturned",
  "orderNotSent",
  "orderReceiptDue",
  "orderAssigned",
] as const satisfies readonly NoticeKind[];

/**
 * Returns what is to be done with an order, or what happened to it, beside the order's name; null for other kinds of
 * notices.
 */
export function formatOrderNews(t: Translate, { kind, params }: NoticeLine): string | null {
  const key =
    describedSteps.find((step) => step === params["action"]) ?? describedKinds.find((described) => described === kind);
  if (!key) return null;
  const state = params["state"] ?? "";
  return t(`notice.about.${key}`, { ...params, state: translateName(t, `state.${state}`, state) });
}
