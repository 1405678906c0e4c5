import type { ColumnType, Generated } from "kysely";
import type { z } from "zod";
import type { orderRow, prescription, shownRoles } from "@arcada/contract/order/order.calls";
import type { orderRevision } from "@arcada/contract/order/order.parts";
import type { designFault } from "@arcada/contract/order/forward.parts";
import type { remakeBearers, remakeClasses } from "@arcada/contract/order/forward.rules";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.cycle";
import type { CaseType } from "@arcada/contract/order/order.rules";

type Row = z.output<typeof orderRow>;
export type Fault = z.output<typeof designFault>;
export type Side = "sender" | "receiver";
/** The content of `rx`: the prescription without the fields that have their own columns. */
export type Rx = Omit<z.output<typeof prescription>, "patientId" | "targetIid" | "caseType" | "dueDate" | "uploads">;

export interface OrdersTable {
  institution_id: string;
  id: string;
  number: Generated<string>;
  receiver_id: string | null;
  /** The person responsible on the sender's side. */
  creator_id: string;
  /**
   * The user who created the order, perhaps for another user; null in orders from before the two were distinguished.
   */
  made_by: Generated<string | null>;
  assignee_id: string | null;
  state: OrderState;
  turn: Row["turn"];
  turn_after: Row["turn"];
  step: Row["step"];
  holder: Generated<Side>;
  version: Generated<number>;
  case_type: CaseType;
  rx: Rx;
  rx_revision: Generated<number>;
  /** Null for a child order, whose sender has no record of the patient. */
  patient_id: string | null;
  patient_name: string | null;
  patient_number: string | null;
  name_masked: Generated<boolean>;
  scheme_revision: Generated<number>;
  design_revision: Generated<number>;
  due_date: string | null;
  promised_date: string | null;
  carrier: string | null;
  tracking_number: string | null;
  hand_delivery: Generated<boolean>;
  redelivery_count: Generated<number>;
  info_request: string | null;
  info_asked_at: string | null;
  cancel_request: string | null;
  /** The open proposal. */
  change_request: string | null;
  copied_from: string | null;
  remake_of: string | null;
  remake_class: (typeof remakeClasses)[number] | null;
  remake_bears: (typeof remakeBearers)[number] | null;
  parent_id: string | null;
  /** For a child order: shipped directly to the parent's sender, who may know by whom it is made. */
  straight: Generated<boolean>;
  named_above: Generated<boolean>;
  resume_state: OrderState | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  handed_over_at: string | null;
  accepted_at: string | null;
  accepted_by: string | null;
  submitted_at: string | null;
  dispatched_at: string | null;
  receiver_shares: Generated<boolean | null>;
  receipt_reminded: Generated<number>;
  completed_at: string | null;
}
export interface OrderRxTable {
  institution_id: string;
  order_id: string;
  revision: number;
  rx: Rx;
  case_type: CaseType | null;
  due_date: string | null;
  at: Generated<string>;
  user_id: string | null;
}
export interface OrderRevisionTable {
  institution_id: string;
  order_id: string;
  id: string;
  kind: "scheme" | "design";
  number: number;
  hash: string;
  text: string | null;
  state: z.output<typeof orderRevision>["state"];
  user_id: string;
  created_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
}
export interface OrderGlbTable {
  institution_id: string;
  original: string;
  /** Null: removed after a long time without use. */
  sha256: string | null;
  error: number;
  used_at: Generated<string>;
}
export interface OrderFileTable {
  institution_id: string;
  order_id: string;
  id: string;
  owner_id: string;
  side: Side;
  role: (typeof shownRoles)[number];
  name: string;
  /** The kind of the content, recognised by its bytes. */
  content: string;
  sha256: string;
  bytes: number;
  study_id: string | null;
  revision_id: string | null;
  message_id: string | null;
  added_by: string | null;
  /** The proposal with which it came. */
  proposal_id: string | null;
  created_at: Generated<string>;
  place: Generated<number>;
}
export interface OrderProposalTable {
  institution_id: string;
  order_id: string;
  id: string;
  rx: Rx;
  case_type: CaseType;
  due_date: string | null;
  changed: string[];
  text: string | null;
  state: "open" | "accepted" | "declined" | "lapsed";
  user_id: string;
  created_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
}
export interface OrderEventTable {
  institution_id: string;
  order_id: string;
  id: string;
  seq: Generated<number>;
  at: Generated<string>;
  action: OrderAction;
  from_state: OrderState | null;
  to_state: OrderState;
  user_id: string | null;
  side: Side | "system";
  text: string | null;
  revision: number | null;
  changed: string[] | null;
  code: string | null;
  faults: ColumnType<Fault[] | null, string | null, never>;
  inner_only: boolean;
}
export interface OrderMessageTable {
  institution_id: string;
  order_id: string;
  id: string;
  at: Generated<string>;
  user_id: string;
  side: Side;
  text: string;
}
