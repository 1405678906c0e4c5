import { defineLifecycle } from "../kernel/lifecycle.ts";

export const workorderStates = [
  "new",
  "in_progress",
  "transfer_review",
  "acceptance_review",
  "finished",
  "closed",
] as const;
export type WorkorderState = (typeof workorderStates)[number];
/**
 * admin: after-sales managers; clinic: the managers of the clinic; assignee: the person to whom the order is assigned.
 */
export type WorkorderParty = "admin" | "clinic" | "assignee" | "system";

const openStates = [
  "new",
  "in_progress",
  "transfer_review",
  "acceptance_review",
] as const satisfies readonly WorkorderState[];

export const workorderLifecycle = defineLifecycle<WorkorderState, WorkorderParty, "reason" | "person" | "finish">(
  workorderStates,
  ["closed"],
)({
  create: { id: "W1", from: [], to: ["new"], by: ["admin", "clinic"] },
  open: { id: "W2", from: ["new"], to: ["new"], by: ["assignee"] },
  assign: { id: "W3", from: ["new"], to: ["new"], by: ["admin"], asks: ["person"] },
  start: { id: "W4", from: ["new"], to: ["in_progress"], by: ["assignee"] },
  handOver: { id: "W5", from: ["in_progress"], to: ["in_progress"], by: ["assignee"], asks: ["reason"] },
  askTransfer: { id: "W6", from: ["in_progress"], to: ["transfer_review"], by: ["assignee"], asks: ["reason"] },
  approveTransfer: { id: "W7", from: ["transfer_review"], to: ["in_progress"], by: ["admin"], asks: ["person"] },
  refuseTransfer: { id: "W7", from: ["transfer_review"], to: ["in_progress"], by: ["admin"], asks: ["reason"] },
  submit: { id: "W8", from: ["in_progress"], to: ["acceptance_review"], by: ["assignee"], asks: ["finish"] },
  pass: { id: "W9", from: ["acceptance_review"], to: ["finished"], by: ["admin"] },
  sendBack: { id: "W10", from: ["acceptance_review"], to: ["in_progress"], by: ["admin"], asks: ["reason"] },
  close: { id: "W11", from: ["finished"], to: ["closed"], by: ["admin", "system"] },
  reopen: { id: "W12", from: ["finished"], to: ["in_progress"], by: ["admin"], asks: ["reason"] },
  void: { id: "W13", from: openStates, to: ["closed"], by: ["admin"], asks: ["reason"] },
});
export type WorkorderAction = keyof typeof workorderLifecycle.steps;
/** The actions on an existing work order; creating one is a separate call, and reading one opens it. */
export const workorderSteps = [
  "assign",
  "start",
  "handOver",
  "askTransfer",
  "approveTransfer",
  "refuseTransfer",
  "submit",
  "pass",
  "sendBack",
  "close",
  "reopen",
  "void",
] as const satisfies readonly WorkorderAction[];
export type WorkorderStep = (typeof workorderSteps)[number];
