import { cancelReasons, refusalReasons } from "@arcada/contract/order/forward.rules";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderAction, OrderAsk } from "@arcada/contract/order/order.cycle";
import type { Added } from "../added-files.tsx";
import type { StepInput } from "./use-step.ts";

/** The input of a person in the dialog of an action. */
export interface Typed {
  reason: string;
  text: string;
  files: Added[];
  carrier: string;
  trackingNumber: string;
  handDelivery: boolean;
  promisedDate: string;
  assigneeId: string | null;
  approve: boolean | null;
  reasonCode: string | null;
  /** The faults of the design, by item. */
  faults: Faults;
  /** The revision that the person saw when the dialog opened. A newer one must not be confirmed unseen. */
  revisionHash: string | null;
}
type Fault = NonNullable<StepInput["faults"]>[number];
type Faults = Readonly<Record<number, Fault["kinds"]>>;
type Problems = Partial<Record<keyof Typed, string>>;

export const asksOf = (action: OrderAction): readonly OrderAsk[] => orderCycle.steps[action].asks ?? [];

export const startOf = (order: Order, action: OrderAction, me: string): Typed => ({
  reason: "",
  text: "",
  files: [],
  carrier: action === "correctShipment" ? (order.shipment?.carrier ?? "") : "",
  trackingNumber: action === "correctShipment" ? (order.shipment?.trackingNumber ?? "") : "",
  handDelivery: action === "correctShipment" && (order.shipment?.handDelivery ?? false),
  promisedDate: (action === "decideChange" ? order.promisedDate : order.dueDate) ?? "",
  assigneeId: me,
  approve: null,
  reasonCode: null,
  faults: {},
  revisionHash: newestRevision(order, action)?.hash ?? null,
});

/** Returns the missing input as keys of order.json under `ask`. */
export function problemsIn(action: OrderAction, typed: Typed, today: string): Problems {
  const asks = asksOf(action);
  const asked = (ask: OrderAsk) => asks.includes(ask);
  const problems: Problems = {};
  const text = typed.text.trim();
  if (asked("reason") && typed.approve !== true && !typed.reason.trim()) problems.reason = "reasonNeeded";
  if (asked("text") && asks.length === 1 && !text) problems.text = "textNeeded";
  if (asked("text") && asked("files") && !text && typed.files.length === 0) problems.text = "textOrFilesNeeded";
  if (asked("modelFiles") && !typed.files.some(({ name }) => isModel(name))) problems.files = "filesNeeded";
  if (asked("shipment") && !typed.handDelivery && !(typed.carrier.trim() && typed.trackingNumber.trim()))
    problems.carrier = "shipmentNeeded";
  if (reasonsOf(action).length > 0 && typed.reasonCode === null) problems.reasonCode = "reasonNeeded";
  if (asked("promise") && typed.approve !== false) {
    if (!typed.promisedDate) problems.promisedDate = "dateNeeded";
    else if (typed.promisedDate < today) problems.promisedDate = "dateInPast";
  }
  if (asked("decision") && typed.approve === null) problems.approve = "decision";
  return problems;
}

/** Returns the reason codes of an action. */
export const reasonsOf = (action: OrderAction): readonly ReasonCode[] => reasons[action] ?? [];
type ReasonCode = NonNullable<StepInput["reasonCode"]>;
const reasons: Partial<Record<OrderAction, readonly ReasonCode[]>> = { refuse: refusalReasons, cancel: cancelReasons };

/** Builds the request: only the input that the action asks for, with the version that is shown. */
export function stepInput(order: Order, action: OrderAction, typed: Typed): StepInput {
  const asked = (...asks: OrderAsk[]) => asks.some((ask) => asksOf(action).includes(ask));
  const faults = Object.entries(typed.faults).map(([item, kinds]) => ({ item: Number(item), kinds }));
  const code = reasonsOf(action).find((one) => one === typed.reasonCode);
  return {
    id: order.id,
    action,
    version: order.version,
    ...(code && { reasonCode: code }),
    ...(faults.length > 0 && { faults }),
    ...(asked("reason") && typed.reason.trim() && { reason: typed.reason.trim() }),
    ...(asked("text") && typed.text.trim() && { text: typed.text.trim() }),
    ...(asked("files", "modelFiles") &&
      typed.files.length > 0 && { files: typed.files.map(({ upload, role }) => ({ upload, role })) }),
    ...(asked("revision") && typed.revisionHash && { revisionHash: typed.revisionHash }),
    ...(asked("shipment") && shipmentOf(typed)),
    ...(asked("promise") && typed.approve !== false && { promisedDate: typed.promisedDate }),
    ...(asked("assignee") && typed.assigneeId && { assigneeId: typed.assigneeId }),
    ...(asked("decision") && typed.approve !== null && { approve: typed.approve }),
  };
}

/** Returns the revision that a confirmation refers to: the newest of its kind. */
function newestRevision(order: Pick<Order, "revisions">, action: OrderAction): Order["revisions"][number] | undefined {
  const kind = action === "confirmScheme" ? "scheme" : "design";
  return order.revisions.filter((one) => one.kind === kind).toSorted((a, b) => b.number - a.number)[0];
}

export const isModel = (name: string): boolean => /\.(stl|ply|obj)$/i.test(name);

const shipmentOf = ({ handDelivery, carrier, trackingNumber }: Typed) =>
  handDelivery ? { handDelivery } : { carrier: carrier.trim(), trackingNumber: trackingNumber.trim(), handDelivery };
