import type { Generated } from "kysely";
import type { z } from "zod";
import type { fileRoles, orderRevision, orderRow, prescription } from "@arcada/contract/order/order.calls";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.cycle";
import type { CaseType } from "@arcada/contract/order/order.rules";

type Row = z.output<typeof orderRow>;
export type Side = "sender" | "receiver";
/** What `rx` holds: the prescription without what has columns of its own. */
export type Rx = Omit<z.output<typeof prescription>, "patientId" | "targetIid" | "caseType" | "dueDate" | "uploads">;

export interface OrdersTable {
  institution_id: string;
  id: string;
  number: Generated<string>;
  receiver_id: string | null;
  creator_id: string;
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
  patient_id: string;
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
  copied_from: string | null;
  remake_of: string | null;
  parent_id: string | null;
  resume_state: OrderState | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  handed_over_at: string | null;
  accepted_at: string | null;
  accepted_by: string | null;
  submitted_at: string | null;
  dispatched_at: string | null;
  completed_at: string | null;
}
export interface OrderRxTable {
  institution_id: string;
  order_id: string;
  revision: number;
  rx: Rx;
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
  role: (typeof fileRoles)[number];
  name: string;
  /** What the bytes are, by looking at them. */
  content: string;
  sha256: string;
  bytes: number;
  study_id: string | null;
  revision_id: string | null;
  added_by: string | null;
  created_at: Generated<string>;
  place: Generated<number>;
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
