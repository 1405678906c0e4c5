import type { Parsed } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { workorderLifecycle } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderStep } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { addEvent, listFiles, lockStaff, markUnread, updateOrder, findOrder } from "./workorder.store.ts";
import type { OrderChange, WorkOrderRow } from "./workorder.store.ts";
import { findMissing, findBlocker, toWireType } from "./workorder.allowed-steps.ts";
import { toOrderReader } from "./workorder.view.ts";
import type { OrderContext } from "./workorder.view.ts";
import { workorderAccepted, workorderTransitioned } from "./workorder.events.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

type StepInput = Parsed<typeof workorderCalls.step>;

/** Applies one step of a person. */
export async function applyWorkorderStep(requestContext: OrderContext, input: StepInput): Promise<void> {
  const { db, principal, now } = requestContext;
  const row = (await findOrder(db, toOrderReader(principal), input.id, "held")) ?? refuse("notFound");
  if (row.version !== input.version) refuse("workorderChanged");
  const refusal = findBlocker(row, input.action, principal, now);
  if (refusal) refuse(refusal, refusal === "workorderReopenLate" ? { days: String(workorderRules.closeDays) } : null);
  const asks = workorderLifecycle.steps[input.action].asks ?? [];
  if (asks.includes("reason") && !input.reason) refuse("workorderReasonMissing", { reason: "required" });
  if (asks.includes("person")) await requireNewAssignee(db, row, input);
  if (input.action === "handOver" && !(await lockStaff(db, row.alternate_id!))) refuse("workorderNoAlternate");
  if (input.action === "submit") await requireFinishedWork(db, row);
  await performTransition(db, row, {
    action: input.action,
    by: principal.uid,
    reason: input.reason || null,
    change: buildChange(row, input, requestContext),
  });
  if (input.action === "pass") await publishAccepted(db, row, principal.uid);
}

async function requireNewAssignee(db: Db, row: WorkOrderRow, { personId, alternateId }: StepInput): Promise<void> {
  if (!personId) return refuse("badInput", { personId: "required" });
  if (personId === row.assignee_id) refuse("workorderSamePerson", { personId: "invalid" });
  await requireStaff(db, personId, alternateId);
}

/** Checks that both work in after-sales, and that nobody is their own alternate. */
export async function requireStaff(db: Db, person: string | undefined, alternate: string | undefined): Promise<void> {
  if (person && person === alternate) refuse("workorderSamePerson", { alternateId: "invalid" });
  if (person && !(await lockStaff(db, person))) refuse("workorderNotStaff", { personId: "invalid" });
  if (alternate && !(await lockStaff(db, alternate))) refuse("workorderNotStaff", { alternateId: "invalid" });
}

async function requireFinishedWork(db: Db, row: WorkOrderRow): Promise<void> {
  const missing = findMissing(row, await listFiles(db, row.id));
  if (missing) refuse(missing.refusal, missing.details ?? null);
}

/** Returns the columns that a step changes besides the state. */
function buildChange(
  row: WorkOrderRow,
  { action, personId, alternateId }: StepInput,
  { principal, now }: OrderContext,
): OrderChange {
  const at = now.toISOString();
  const assignTo = (person: string | null, alternate: string | null): OrderChange => ({
    assignee_id: person,
    alternate_id: alternate === person ? null : alternate,
  });
  const changes: Partial<Record<WorkorderStep, () => OrderChange>> = {
    assign: () => assignTo(personId!, alternateId ?? row.alternate_id),
    start: () => ({ started_at: at }),
    handOver: () => assignTo(row.alternate_id, null),
    approveTransfer: () => assignTo(personId!, alternateId ?? null),
    submit: () => ({ submitted_at: at }),
    pass: () => ({ finished_at: at, reviewer_id: principal.uid }),
    sendBack: () => ({ submitted_at: null }),
    close: () => ({ closed_at: at, outcome: "done" }),
    reopen: () => ({ finished_at: null, submitted_at: null, reviewer_id: null, rework_count: row.rework_count + 1 }),
    void: () => ({ closed_at: at, outcome: "void" }),
  };
  return changes[action]?.() ?? {};
}

/** Steps that the clinic sees in the log; the rest is between after-sales people. */
const stepsVisibleToClinic: readonly WorkorderStep[] = ["start", "pass", "close", "reopen", "void"];

/** Moves an order, writes its log and notifies the people concerned. */
export async function performTransition(
  db: Db,
  row: WorkOrderRow,
  {
    action,
    by,
    reason,
    change,
  }: { action: WorkorderStep; by: string | null; reason: string | null; change: OrderChange },
): Promise<void> {
  const to = workorderLifecycle.steps[action].to[0]!;
  if (!(await updateOrder(db, row, { ...change, state: to }))) refuse("workorderChanged");
  const assignee = change.assignee_id ?? row.assignee_id;
  if (assignee && assignee !== row.assignee_id) await markUnread(db, row.id, assignee);
  await addEvent(db, row, { uid: by, action, to, text: reason, isInternal: !stepsVisibleToClinic.includes(action) });
  await publish(db, workorderTransitioned, {
    workorderId: row.id,
    number: row.number,
    action,
    to,
    by,
    institution: row.institution_id,
    assignee,
    before: row.assignee_id,
  });
  await notifyClients(db, { institutions: [row.institution_id], service: true }, "workorder", row.id);
}

const publishAccepted = (db: Db, row: WorkOrderRow, by: string) =>
  publish(db, workorderAccepted, {
    workorderId: row.id,
    type: toWireType(row.type),
    deviceId: row.device_id,
    device: { ...pickColumns(row, "product", "model", "serial_number") },
    clinicId: row.to_clinic_id ?? row.clinic_id,
    by,
  });
