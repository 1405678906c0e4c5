import type { OrderRow } from "@arcada/contract/order/order.calls";
import { useOrderNames } from "../../i18n/order-name.ts";

/** "crown 11, bridge 35–37": the subject of an order. */
export function OrderSubject({ order }: { order: Pick<OrderRow, "caseType" | "work"> }) {
  return useOrderNames().work(order);
}
