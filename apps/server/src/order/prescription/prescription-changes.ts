import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { ActionInput } from "../transition/transition-types.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { findMissingFields } from "../core/order.view.ts";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

type Change = NonNullable<ActionInput["rx"]>;

/**
 * Applies a person's changes to the prescription of the order as it is; the patient and the receiver cannot be changed.
 */
export function mergePrescription(
  change: NonNullable<Parsed<typeof orderCalls.step>["prescription"]>,
  order: Order,
): Change {
  const { caseType, dueDate, ...rest } = change;
  return { rx: { ...order.rx, ...rest }, case_type: caseType, due_date: dueDate };
}

/** A changed prescription must be complete too; returns the names of the fields that differ. */
export async function checkPrescription(
  db: Db,
  order: Order,
  change: Change,
  added: readonly NewFile[],
): Promise<string[]> {
  const existing = await db
    .selectFrom("order_file")
    .select("role")
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .execute();
  const missing = findMissingFields({ ...order, ...change }, [...existing, ...added]);
  if (missing.length > 0) refuse("orderIncomplete", { missing });
  return findChangedFields(order, change);
}

export function findChangedFields(order: Order, change: Change): string[] {
  const before: Record<string, unknown> = { ...order.rx, ...pickColumns(order, "case_type", "due_date") };
  const after: Record<string, unknown> = { ...change.rx, ...pickColumns(change, "case_type", "due_date") };
  return Object.keys(after).filter((field) => canonical(before[field] ?? null) !== canonical(after[field] ?? null));
}
// jsonb returns keys in a different order.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
