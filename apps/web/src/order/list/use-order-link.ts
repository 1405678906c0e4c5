import { hasAccess } from "@arcada/contract/kernel/roles";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { screens } from "@arcada/contract/screens";
import type { SearchParams } from "../../browser/navigation.tsx";
import { useRole } from "../../session/current-user.ts";

/**
 * A clinic's draft opens in the form, every other order on its detail page, including the draft with which a lab
 * forwards an order.
 */
export function useOrderLink(order: Pick<OrderRow, "id" | "state">): {
  screen: "sendPage" | "orderDetail";
  search: SearchParams;
} {
  const mayWrite = hasAccess(screens.sendPage.access, useRole());
  return { screen: order.state === "draft" && mayWrite ? "sendPage" : "orderDetail", search: { id: order.id } };
}
