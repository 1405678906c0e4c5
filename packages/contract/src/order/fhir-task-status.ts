import type { OrderRow } from "./order.calls.ts";
import type { OrderState } from "./order.lifecycle.ts";

/** States of Task and ServiceRequest in HL7 FHIR R4 (http://hl7.org/fhir/R4/valueset-task-status.html). */
export type TaskStatus =
  | "draft"
  | "requested"
  | "received"
  | "in-progress"
  | "on-hold"
  | "completed"
  | "cancelled"
  | "rejected";
export type RequestStatus = "draft" | "active" | "on-hold" | "revoked" | "completed";

/**
 * The FHIR status of an order's state: by default, while the sender has to act, and while a question of the receiver is
 * open.
 */
interface TaskMapping {
  task: TaskStatus;
  onSendersTurn?: TaskStatus;
  whenAsked?: TaskStatus;
  /** While the receiver prepares to pass it on. */
  whileReceiverHolds?: TaskStatus;
  request: RequestStatus;
}
export const taskTable: Record<OrderState, TaskMapping> = {
  draft: { task: "draft", request: "draft" },
  awaiting_sending: { task: "draft", whileReceiverHolds: "in-progress", request: "active" },
  pending: { task: "requested", whenAsked: "received", request: "active" },
  awaiting_scheme: { task: "in-progress", onSendersTurn: "on-hold", request: "active" },
  awaiting_design: { task: "in-progress", onSendersTurn: "on-hold", request: "active" },
  awaiting_dispatch: { task: "in-progress", request: "active" },
  awaiting_receipt: { task: "in-progress", request: "active" },
  forwarded: { task: "in-progress", request: "active" },
  completed: { task: "completed", request: "completed" },
  cancelled: { task: "cancelled", request: "revoked" },
  refused: { task: "rejected", request: "revoked" },
};

interface OrderFacts {
  state: OrderState;
  turn: OrderRow["turn"];
  holder: "sender" | "receiver";
  isAsked: boolean;
}
export function findTaskStatus({ state, turn, holder, isAsked }: OrderFacts): TaskStatus {
  const mapping = taskTable[state];
  if (isAsked && mapping.whenAsked) return mapping.whenAsked;
  if (turn === "sender" && mapping.onSendersTurn) return mapping.onSendersTurn;
  if (holder === "receiver" && mapping.whileReceiverHolds) return mapping.whileReceiverHolds;
  return mapping.task;
}
