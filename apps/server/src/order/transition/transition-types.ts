import type { Selectable } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { CaseType } from "@arcada/contract/order/order.rules";
import type { OrderRevisionTable, OrdersTable } from "../../tables/schema.generated.ts";
import type { Rx } from "../../tables/order-columns.ts";

/** The columns of an order on which decisions are based. */
export type OrderFacts = Pick<
  Selectable<OrdersTable>,
  | "institution_id"
  | "receiver_id"
  | "creator_id"
  | "made_by"
  | "assignee_id"
  | "state"
  | "turn"
  | "turn_after"
  | "step"
  | "rx"
  | "rx_revision"
  | "scheme_revision"
  | "design_revision"
  | "redelivery_count"
  | "due_date"
  | "promised_date"
  | "info_request"
  | "info_asked_at"
  | "cancel_request"
  | "change_request"
  | "holder"
  | "parent_id"
  | "resume_state"
  | "straight"
  | "submitted_at"
  | "dispatched_at"
>;
export type OrderChange = Partial<
  Pick<
    Selectable<OrdersTable>,
    | "state"
    | "turn"
    | "step"
    | "rx"
    | "case_type"
    | "rx_revision"
    | "assignee_id"
    | "accepted_by"
    | "accepted_at"
    | "scheme_revision"
    | "design_revision"
    | "redelivery_count"
    | "promised_date"
    | "due_date"
    | "carrier"
    | "tracking_number"
    | "hand_delivery"
    | "info_request"
    | "info_asked_at"
    | "cancel_request"
    | "change_request"
    | "holder"
    | "resume_state"
    | "receipt_reminded"
    | "handed_over_at"
    | "submitted_at"
    | "dispatched_at"
    | "completed_at"
  >
>;
/** The input of the person who acts; null: not given. `files` counts the files that were sent. */
export interface ActionInput {
  now: Date;
  uid: string | null;
  reason: string | null;
  text: string | null;
  files: number;
  carrier: string | null;
  trackingNumber: string | null;
  handDelivery: boolean;
  promisedDate: string | null;
  assigneeId: string | null;
  approve: boolean | null;
  rx: { rx: Rx; case_type: CaseType; due_date: string | null } | null;
  /** For an order that was passed on: the form in which its child order came back. */
  child: { digital: boolean; straight: boolean } | null;
}
export interface Transition {
  /** Returns the reason why the action is closed although the table allows it in this state. */
  guard?: (order: OrderFacts, now: Date) => RefusalName | null;
  apply: (order: OrderFacts, actionInput: ActionInput) => OrderChange;
  /** New states of the newest revisions, by kind; "new" makes one. */
  revisions?: (order: OrderFacts, actionInput: ActionInput) => RevisionChanges;
}
export type RevisionChanges = Partial<
  Record<OrderRevisionTable["kind"], "new" | Exclude<OrderRevisionTable["state"], "submitted">>
>;

export const constantChange = (change: OrderChange) => (): OrderChange => change;
export const toTimestamp = (actionInput: ActionInput): string => actionInput.now.toISOString();
export const allowedIf = (isAllowed: boolean): RefusalName | null => (isAllowed ? null : "orderActionNotAllowed");
export const pendingRevisionKind = (order: OrderFacts) => (order.state === "awaiting_scheme" ? "scheme" : "design");
export const shipmentColumns = ({ carrier, trackingNumber, handDelivery }: ActionInput) =>
  ({ carrier, tracking_number: trackingNumber, hand_delivery: handDelivery }) as const;

export const endOrder = (state: "completed" | "cancelled" | "refused", actionInput: ActionInput): OrderChange => ({
  state,
  turn: "nobody",
  info_request: null,
  cancel_request: null,
  change_request: null,
  ...(state === "completed" && { completed_at: toTimestamp(actionInput) }),
});
