import { exampleId } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Lists of orders: their filters, columns, saved views and the page for the day. */
export const orderListProperties: PropertyWords = {
  "order.today:view": {
    says: "`today`: groups by urgency and task; `board`: the stages of a laboratory's work as columns.",
    example: "today",
  },
  "order.today:personId": {
    says: "Only orders of this person of the organisation. If omitted: everybody's. The orders to accept are everybody's in any case.",
    example: exampleId,
  },
  "order.saveLook:name": {
    says: "The view's name. A view of the same name is written over.",
    example: "Due this week",
  },
  "order:filter": {
    says: "The parameters of the list, by name, as in the address of the page.",
    example: { list: "sent", state: "awaiting_design" },
  },
  "order:columns": {
    says: "The columns of the list, in the order in which they are shown. Null: the usual ones.",
    example: ["number", "patient", "state", "due"],
  },
  "order.saveLook:standard": { says: "`true`: the list opens with this view.", example: false },
  "order.dropLook:id": { says: "The saved view: one of `order.looks`.", example: exampleId },
  "order:state": { says: "Only orders in this state.", example: "awaiting_design" },
  "order:states": {
    says: "Only orders in one of these states, with commas between.",
    example: "awaiting_scheme,awaiting_design",
  },
  "order:turn": { says: "`mine`: only orders in which the caller's organisation has to act.", example: "mine" },
  "order:task": {
    says: "Only orders with this task of the caller's organisation. For the sender: `answer` a question, `reviewScheme` and `reviewDesign`, `receive`, `resend`. For the receiver: `accept`, `plan`, `design`, `ship`, `forward`; `atClinic` and `shipped` wait for the sender.",
    example: "reviewDesign",
  },
  "order.list:patientId": { says: "Only orders of this patient.", example: exampleId },
  "order.export:patientId": { says: "Only orders of this patient.", example: exampleId },
  "order:otherIid": { says: "Only orders with this organisation on the other side.", example: exampleId },
  "order:personId": {
    says: "Only orders of this person of the caller's organisation: as the responsible dentist of sent orders, as the assignee of received ones.",
    example: exampleId,
  },
  "order:dueFrom": { says: "First due date (YYYY-MM-DD). Orders without one are left out.", example: "2026-12-01" },
  "order:dueTo": { says: "Last due date (YYYY-MM-DD), included.", example: "2026-12-31" },
  "order:sentFrom": {
    says: "First day on which the order was handed over to the receiver (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-11-01",
  },
  "order:sentTo": {
    says: "Last day on which the order was handed over to the receiver (YYYY-MM-DD), included, in the organisation's time zone.",
    example: "2026-11-30",
  },
  "order:completedFrom": {
    says: "First day of the completion (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-11-01",
  },
  "order:completedTo": {
    says: "Last day of the completion (YYYY-MM-DD), included, in the organisation's time zone.",
    example: "2026-11-30",
  },
  "order:delivered": {
    says: "Only delivered orders: `late` after their due date, `onTime` not after it. Orders without a due date are left out.",
    example: "late",
  },
  "order:remake": {
    says: "Only remakes: `any`, or of one cause; `unstated`: those without a cause.",
    example: "any",
  },
  "order:list": {
    says: "Only orders that the caller's organisation sent, or that it received. If omitted: both.",
    example: "sent",
  },
};
