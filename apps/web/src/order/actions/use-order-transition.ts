import type { Input } from "@arcada/contract/kernel/call";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { queryKeyOf, queryClient } from "../../data/query-client.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";

export type TransitionInput = Input<typeof orderCalls.step>;
/** The input of a transition besides the order, its version and the action. */
type TransitionFields = Omit<TransitionInput, "id" | "version" | "action">;

export function cacheOrder(fresh: Order): void {
  queryClient.setQueryData(queryKeyOf(orderCalls.detail, { id: fresh.id }), fresh);
}

/** If the order has changed since, its present state replaces the shown one. */
export function handleStaleOrder(refused: RefusalError): void {
  const hasFresh = refused.name === "orderChanged" || refused.name === "orderActionNotAllowed";
  if (hasFresh && isOrder(refused.details)) cacheOrder(refused.details);
  else if (refused.name === "orderRevisionStale") void queryClient.invalidateQueries({ queryKey: ["order"] });
}

/**
 * Applies the transition to the shown version. `onDone` receives the updated order, unless the transition removed it.
 */
export function useOrderTransition(order: Order, action: OrderAction, onDone: (fresh: Order) => void) {
  const t = useTexts("order");
  const go = useOpenScreen();
  const command = useCommand(orderCalls.step, { shownBy: "form" });
  const run = async (fields: TransitionFields) => {
    const outcome = await command.run({ ...fields, id: order.id, version: order.version, action }, handleStaleOrder);
    if (!outcome) return;
    toast(
      "success",
      action === "prepareForward"
        ? t("order.stepDoneForward")
        : t("order.stepDone", { action: t(`order.action.${action}`) }),
    );
    if (outcome.data === null) return go("orderList", {}, { replace: true });
    cacheOrder(outcome.data);
    onDone(outcome.data);
  };
  return { run, busy: command.busy, problem: command.refused?.show === "form" ? command.refused.msg : undefined };
}

const isOrder = (details: unknown): details is Order =>
  typeof details === "object" && details !== null && "actions" in details && "version" in details;
