import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { Search } from "../../kernel/link.tsx";

/** A draft opens where it is written, every other order where it is read. */
export const linkOf = (
  order: Pick<OrderRow, "id" | "state">,
): { screen: "sendPage" | "orderDetail"; search: Search } => ({
  screen: order.state === "draft" ? "sendPage" : "orderDetail",
  search: { id: order.id },
});
