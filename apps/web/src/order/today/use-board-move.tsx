import { useState } from "react";
import type { ReactNode } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import type { BoardStage, TodayRow } from "@arcada/contract/order/order-today.calls";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ActionDialog } from "../actions/action-dialog.tsx";

interface BoardMove {
  move: (order: TodayRow, to: BoardStage) => void;
  /** The dialog of an action that asks for something, while it is open. */
  dialog: ReactNode;
}

/** Moves an order on the board by the transition that leads to the stage: with its dialog if it needs input. */
export function useBoardMove(): BoardMove {
  const t = useTexts("order");
  const step = useCommand(orderCalls.step);
  const [chosen, setChosen] = useState<{ id: string; action: OrderAction } | null>(null);
  const run = async ({ id, version }: TodayRow, action: OrderAction) => {
    if (await step.run({ id, version, action }))
      toast("success", t("order.stepDone", { action: t(`order.action.${action}`) }));
  };
  const move = (order: TodayRow, to: BoardStage) => {
    const action = order.moves.find((one) => one.to === to)?.action;
    if (!action) return;
    if (orderLifecycle.steps[action].asks?.length) setChosen({ id: order.id, action });
    else void run(order, action);
  };
  return {
    move,
    dialog: chosen && <LoadedActionDialog key={chosen.id} {...chosen} onClose={() => setChosen(null)} />,
  };
}

function LoadedActionDialog({ id, action, onClose }: { id: string; action: OrderAction; onClose: () => void }) {
  const { data: order } = useCall(orderCalls.detail, { id });
  return order ? <ActionDialog order={order} action={action} onClose={onClose} /> : null;
}
