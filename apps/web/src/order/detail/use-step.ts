import type { Input } from "@arcada/contract/kernel/call";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { useGo } from "../../kernel/link.tsx";
import { keyOf, queryClient } from "../../kernel/queries.ts";
import type { RefusedAnswer } from "../../kernel/refused.ts";
import { useTexts } from "../../kernel/texts.ts";
import { toast } from "../../kernel/toast.ts";
import { useCommand } from "../../kernel/use-command.ts";

export type StepInput = Input<typeof orderCalls.step>;
/** The input of a transition besides the order, its version and the action. */
type StepGiven = Omit<StepInput, "id" | "version" | "action">;

export function showOrder(fresh: Order): void {
  queryClient.setQueryData(keyOf(orderCalls.detail, { id: fresh.id }), fresh);
}

/** If the order has changed since, its present state replaces the shown one. */
export function hearStale(refused: RefusedAnswer): void {
  const hasFresh = refused.name === "orderChanged" || refused.name === "orderActionNotAllowed";
  if (hasFresh && isOrder(refused.details)) showOrder(refused.details);
  else if (refused.name === "orderRevisionStale") void queryClient.invalidateQueries({ queryKey: ["order"] });
}

/**
 * Applies the transition to the shown version. `onDone` receives the updated order, unless the transition removed it.
 */
export function useStep(order: Order, action: OrderAction, onDone: (fresh: Order) => void) {
  const t = useTexts("order");
  const go = useGo();
  const command = useCommand(orderCalls.step, { shownBy: "form" });
  const run = async (given: StepGiven) => {
    const outcome = await command.run({ ...given, id: order.id, version: order.version, action }, hearStale);
    if (!outcome) return;
    toast("success", t("order.stepDone", { action: t(`order.action.${action}`) }));
    if (outcome.data === null) return go("orderList", {}, { replace: true });
    showOrder(outcome.data);
    onDone(outcome.data);
  };
  return { run, busy: command.busy, problem: command.refused?.show === "form" ? command.refused.msg : undefined };
}

const isOrder = (details: unknown): details is Order =>
  typeof details === "object" && details !== null && "actions" in details && "version" in details;
