import { listRules } from "@arcada/contract/order/order-list.filter";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import { screens } from "@arcada/contract/screens";
import { useCall } from "../data/use-call.ts";
import { useOrderNames } from "../i18n/order-name.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import type { Notice } from "./use-notices.ts";

const orderPath = `${screens.orderDetail.path}?id=`;
const findOrderId = ({ link }: Pick<Notice, "link">): string | null =>
  link?.startsWith(orderPath) ? link.slice(orderPath.length) : null;

/**
 * Returns what the orders of these notices are called, by their ids. A notice itself contains the number only: the name
 * is read when it is shown, by a person who may know it.
 */
export function useOrderTitles(notices: readonly Notice[]): ReadonlyMap<string, string> {
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
export function withOrderTitle(notice: Notice, titles: ReadonlyMap<string, string>): Notice {
  const id = findOrderId(notice);
  const title = id ? titles.get(id) : undefined;
  return title ? { ...notice, params: { ...notice.params, number: title } } : notice;
}
