import { mayRole } from "@arcada/contract/kernel/roles";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { screens } from "@arcada/contract/screens";
import type { Search } from "../../kernel/link.tsx";
import { useRole } from "../../kernel/session.ts";

/** A clinic's draft opens where it is written, every other order where it is read: so does what a lab is about to pass on. */
export function useOrderLink(order: Pick<OrderRow, "id" | "state">): {
  screen: "sendPage" | "orderDetail";
  search: Search;
} {
  const writes = mayRole(screens.sendPage.access, useRole());
  return { screen: order.state === "draft" && writes ? "sendPage" : "orderDetail", search: { id: order.id } };
}
