import type { OrderRow } from "./order.calls.ts";
import type { OrderState } from "./order.cycle.ts";

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
interface Told {
  task: TaskStatus;
  sendersTurn?: TaskStatus;
  asked?: TaskStatus;
  /** While the receiver prepares to pass it on. */
  receiverHolds?: TaskStatus;
  request: RequestStatus;
}
export const taskTable: Record<OrderState, Told> = {
  draft: { task: "draft", request: "draft" },
  awaiting_sending: { task: "draft", receiverHolds: "in-progress", request: "active" },
  pending: { task: "requested", asked: "received", request: "active" },
  awaiting_scheme: { task: "in-progress", sendersTurn: "on-hold", request: "active" },
  awaiting_design: { task: "in-progress", sendersTurn: "on-hold", request: "active" },
  awaiting_dispatch: { task: "in-progress", request: "active" },
  awaiting_receipt: { task: "in-progress", request: "active" },
  forwarded: { task: "in-progress", request: "active" },
  completed: { task: "completed", request: "completed" },
  cancelled: { task: "cancelled", request: "revoked" },
  refused: { task: "rejected", request: "revoked" },
};

interface Facts {
  state: OrderState;
  turn: OrderRow["turn"];
  holder: "sender" | "receiver";
  isAsked: boolean;
}
export function taskStatus({ state, turn, holder, isAsked }: Facts): TaskStatus {
  const told = taskTable[state];
  if (isAsked && told.asked) return told.asked;
  if (turn === "sender" && told.sendersTurn) return told.sendersTurn;
  if (holder === "receiver" && told.receiverHolds) return told.receiverHolds;
  return told.task;
}
