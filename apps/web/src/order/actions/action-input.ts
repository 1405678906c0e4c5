import { cancelReasons, refusalReasons } from "@arcada/contract/order/order-steps.rules";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction, OrderInput } from "@arcada/contract/order/order.lifecycle";
import type { AttachedFile } from "../core/attached-files.tsx";
import type { TransitionInput } from "./use-order-transition.ts";
import type { NameUnder } from "../../i18n/texts.ts";

/** The input of a person in the dialog of an action. */
export interface ActionInput {
  reason: string;
  text: string;
  files: AttachedFile[];
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
type Fault = NonNullable<TransitionInput["faults"]>[number];
type Faults = Readonly<Record<number, Fault["kinds"]>>;
export type InputProblems = Partial<Record<keyof ActionInput, NameUnder<"order.ask">>>;

export const getRequiredInputs = (action: OrderAction): readonly OrderInput[] =>
  orderLifecycle.steps[action].asks ?? [];

export const getInitialInput = (order: Order, action: OrderAction, me: string): ActionInput => ({
  reason: "",
  text: "",
  files: [],
  carrier: action === "correctShipment" ? (order.shipment?.carrier ?? "") : "",
  trackingNumber: action === "correctShipment" ? (order.shipment?.trackingNumber ?? "") : "",
  handDelivery: action === "correctShipment" && (order.shipment?.handDelivery ?? false),
  promisedDate: (action === "decideChange" ? order.promisedDate : order.dueDate) ?? "",
  assigneeId: order.assigneeId ?? me,
  approve: null,
  reasonCode: null,
  faults: {},
  revisionHash: findNewestRevision(order, action)?.hash ?? null,
});

/** Returns the missing input as keys of order.json under `ask`. */
export function findProblems(action: OrderAction, values: ActionInput, today: string): InputProblems {
  const asks = getRequiredInputs(action);
  const isRequired = (ask: OrderInput) => asks.includes(ask);
  const problems: InputProblems = {};
  const text = values.text.trim();
  if (isRequired("reason") && values.approve !== true && !values.reason.trim()) problems.reason = "reasonNeeded";
  if (isRequired("text") && asks.length === 1 && !text) problems.text = "textNeeded";
  if (isRequired("text") && isRequired("files") && !text && values.files.length === 0)
    problems.text = "textOrFilesNeeded";
  if (isRequired("modelFiles") && !values.files.some(({ name }) => isModelFile(name))) problems.files = "filesNeeded";
  if (isRequired("shipment") && !values.handDelivery && !(values.carrier.trim() && values.trackingNumber.trim()))
    problems.carrier = "shipmentNeeded";
  if (getReasonCodes(action).length > 0 && values.reasonCode === null) problems.reasonCode = "reasonNeeded";
  if (isRequired("promise") && values.approve !== false) {
    if (!values.promisedDate) problems.promisedDate = "dateNeeded";
    else if (values.promisedDate < today) problems.promisedDate = "dateInPast";
  }
  if (isRequired("decision") && values.approve === null) problems.approve = "decision";
  return problems;
}

/** Returns the reason codes of an action. */
export const getReasonCodes = (action: OrderAction): readonly ReasonCode[] => reasonCodes[action] ?? [];
type ReasonCode = NonNullable<TransitionInput["reasonCode"]>;
const reasonCodes: Partial<Record<OrderAction, readonly ReasonCode[]>> = {
  refuse: refusalReasons,
  cancel: cancelReasons,
};

/** Builds the request: only the input that the action asks for, with the version that is shown. */
export function buildTransitionInput(order: Order, action: OrderAction, values: ActionInput): TransitionInput {
  const isRequired = (...asks: OrderInput[]) => asks.some((ask) => getRequiredInputs(action).includes(ask));
  const faults = Object.entries(values.faults).map(([item, kinds]) => ({ item: Number(item), kinds }));
  const code = getReasonCodes(action).find((one) => one === values.reasonCode);
  return {
    id: order.id,
    action,
    version: order.version,
    ...(code && { reasonCode: code }),
    ...(faults.length > 0 && { faults }),
    ...(isRequired("reason") && values.reason.trim() && { reason: values.reason.trim() }),
    ...(isRequired("text") && values.text.trim() && { text: values.text.trim() }),
    ...(isRequired("files", "modelFiles") &&
      values.files.length > 0 && { files: values.files.map(({ upload, role }) => ({ upload, role })) }),
    ...(isRequired("revision") && values.revisionHash && { revisionHash: values.revisionHash }),
    ...(isRequired("shipment") && toShipment(values)),
    ...(isRequired("promise") && values.approve !== false && { promisedDate: values.promisedDate }),
    ...(isRequired("assignee") && values.assigneeId && { assigneeId: values.assigneeId }),
    ...(isRequired("decision") && values.approve !== null && { approve: values.approve }),
  };
}

/** Returns the revision that a confirmation refers to: the newest of its kind. */
function findNewestRevision(
  order: Pick<Order, "revisions">,
  action: OrderAction,
): Order["revisions"][number] | undefined {
  const kind = action === "confirmScheme" ? "scheme" : "design";
  return order.revisions.filter((one) => one.kind === kind).toSorted((a, b) => b.number - a.number)[0];
}

export const isModelFile = (name: string): boolean => /\.(stl|ply|obj|3mf)$/i.test(name);

const toShipment = ({ handDelivery, carrier, trackingNumber }: ActionInput) =>
  handDelivery ? { handDelivery } : { carrier: carrier.trim(), trackingNumber: trackingNumber.trim(), handDelivery };
