import type { Order } from "@arcada/contract/order/order.calls";

export const stageNames = [
  "sent",
  "accepted",
  "plan",
  "design",
  "review",
  "production",
  "shipped",
  "received",
  "delivered",
] as const;
export type StageName = (typeof stageNames)[number];

/** stopped: the order was cancelled or declined before this stage. */
export interface OrderStage {
  name: StageName;
  state: "done" | "current" | "ahead" | "stopped";
  /** The instant at which it was completed, as far as the reader knows it. */
  at: string | null;
}

type StagedOrder = Pick<Order, "state" | "step" | "holder"> & {
  prescription: Pick<Order["prescription"], "workKinds" | "schemeRequired">;
  events: readonly Pick<Order["events"][number], "action" | "time">[];
};

/** Returns the stages of an order from its sending to its end, which depend on what was ordered. */
export function listStages(order: StagedOrder): OrderStage[] {
  const names = listStageNames(order);
  const current = names.indexOf(getCurrentStage(order, names));
  const isOver = order.state === "completed";
  const isStopped = order.state === "cancelled" || order.state === "refused";
  return names.map((name, at): OrderStage => {
    const isDone = isOver || at < current;
    const state = isDone ? "done" : at > current ? "ahead" : isStopped ? "stopped" : "current";
    return { name, state, at: isDone ? findCompletion(order, name) : null };
  });
}

function listStageNames({ prescription: { workKinds, schemeRequired } }: StagedOrder): StageName[] {
  const isDesigned = workKinds.includes("design");
  const isMade = workKinds.includes("machining");
  const isShown: Partial<Record<StageName, boolean>> = {
    plan: schemeRequired,
    design: isDesigned,
    review: isDesigned,
    production: isMade,
    shipped: isMade,
    received: isMade,
    delivered: !isMade,
  };
  return stageNames.filter((name) => isShown[name] ?? true);
}

function getCurrentStage(order: StagedOrder, names: readonly StageName[]): StageName {
  const { state, step, holder } = order;
  if (state === "awaiting_scheme") return "plan";
  if (state === "awaiting_design") return step === "submitted" ? "review" : "design";
  if (state === "awaiting_dispatch") return "production";
  if (state === "awaiting_receipt") return "received";
  if (state === "pending") return "accepted";
  if (state === "draft" || (state === "awaiting_sending" && holder === "sender")) return "sent";
  // Another laboratory has the work, or the order has ended: it stands at the first stage that was not completed.
  return names.find((name) => name !== "production" && findCompletion(order, name) === null) ?? names.at(-1)!;
}

/** The actions that complete a stage. The latest one counts, since a stage may be repeated. */
const completions: Record<StageName, readonly string[]> = {
  sent: ["handOver", "submit"],
  accepted: ["accept"],
  plan: ["confirmScheme"],
  design: ["submitDesign"],
  review: ["confirmDesign", "confirmDelivery"],
  production: ["dispatch"],
  shipped: ["dispatch"],
  received: ["confirmReceipt", "autoComplete"],
  delivered: ["confirmDelivery"],
};

const findCompletion = ({ events }: StagedOrder, name: StageName): string | null =>
  events.findLast(({ action }) => completions[name].includes(action))?.time ?? null;
