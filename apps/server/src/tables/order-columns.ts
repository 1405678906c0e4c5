import type { z } from "zod";
import type { prescription } from "@arcada/contract/order/order.calls";
import type { designFault } from "@arcada/contract/order/related-orders.schema";

export type DesignFault = z.output<typeof designFault>;
export type OrderSide = "sender" | "receiver";
/** The content of `rx`: the prescription without the fields that have their own columns. */
export type Rx = Omit<z.output<typeof prescription>, "patientId" | "targetIid" | "caseType" | "dueDate" | "uploads">;
