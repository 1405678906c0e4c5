import type { Parsed } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { workorderCycle } from "@arcada/contract/workorder/workorder.cycle";
import type { WorkorderStep } from "@arcada/contract/workorder/workorder.cycle";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { Db } from "../platform/database/database.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { addEvent, filesOf, holdStaff, markUnread, moveOrder, orderOf } from "./workorder.store.ts";
import type { Change, WorkOrderRow } from "./workorder.store.ts";
import { lacking, whyNot, wireType } from "./workorder.ts";
import { readerOf } from "./workorder.view.ts";
import type { Asking } from "./workorder.view.ts";

type Wish = Parsed<typeof workorderCalls.step>;

/** Applies one step of a person. */
export async function takeStep(asking: Asking, wish: Wish): Promise<void> {
  const { db, asker, now } = asking;
  const row = (await orderOf(db, readerOf(asker), wish.id, "held")) ?? refuse("notFound");
  if (row.version !== wish.version) refuse("workorderChanged");
  const closed = whyNot(row, wish.action, asker, now);
  if (closed) refuse(closed, closed === "workorderReopenLate" ? { days: String(workorderRules.closeDays) } : null);
  const asks = workorderCycle.steps[wish.action].asks ?? [];
  if (asks.includes("reason") && !wish.reason) refuse("workorderReasonMissing", { reason: "required" });
  if (asks.includes("person")) await checkPerson(db, row, wish);
  if (wish.action === "handOver" && !(await holdStaff(db, row.alternate_id!))) refuse("workorderNoAlternate");
  if (wish.action === "submit") await checkFinish(db, row);
  await perform(db, row, {
    action: wish.action,
    by: asker.uid,
    reason: wish.reason || null,
    change: changeOf(row, wish, asking),
  });
  if (wish.action === "pass") await tellAccepted(db, row, asker.uid);
}

async function checkPerson(db: Db, row: WorkOrderRow, { personId, alternateId }: Wish): Promise<void> {
  if (!personId) return refuse("badInput", { personId: "required" });
  if (personId === row.assignee_id) refuse("workorderSamePerson", { personId: "invalid" });
  await checkStaff(db, personId, alternateId);
}

/** Checks that both work in after-sales, and that nobody is their own alternate. */
export async function checkStaff(db: Db, person: string | undefined, alternate: string | undefined): Promise<void> {
  if (person && person === alternate) refuse("workorderSamePerson", { alternateId: "invalid" });
  if (person && !(await holdStaff(db, person))) refuse("workorderNotStaff", { personId: "invalid" });
  if (alternate && !(await holdStaff(db, alternate))) refuse("workorderNotStaff", { alternateId: "invalid" });
}

async function checkFinish(db: Db, row: WorkOrderRow): Promise<void> {
  const lack = lacking(row, await filesOf(db, row.id));
  if (lack) refuse(lack.refusal, lack.details ?? null);
}

/** Returns the columns that a step changes besides the state. */
function changeOf(row: WorkOrderRow, { action, personId, alternateId }: Wish, { asker, now }: Asking): Change {
  const at = now.toISOString();
  const given = (person: string | null, alternate: string | null): Change => ({
    assignee_id: person,
    alternate_id: alternate === person ? null : alternate,
  });
  const changes: Partial<Record<WorkorderStep, () => Change>> = {
    assign: () => given(personId!, alternateId ?? row.alternate_id),
    start: () => ({ started_at: at }),
    handOver: () => given(row.alternate_id, null),
    approveTransfer: () => given(personId!, alternateId ?? null),
    submit: () => ({ submitted_at: at }),
    pass: () => ({ finished_at: at, reviewer_id: asker.uid }),
    sendBack: () => ({ submitted_at: null }),
    close: () => ({ closed_at: at, outcome: "done" }),
    reopen: () => ({ finished_at: null, submitted_at: null, reviewer_id: null, rework_count: row.rework_count + 1 }),
    void: () => ({ closed_at: at, outcome: "void" }),
  };
  return changes[action]?.() ?? {};
}

/** Steps that the clinic sees in the log; the rest is between after-sales people. */
const seenByClinic: readonly WorkorderStep[] = ["start", "pass", "close", "reopen", "void"];

/** Moves an order, writes its log and notifies the people concerned. */
export async function perform(
  db: Db,
  row: WorkOrderRow,
  { action, by, reason, change }: { action: WorkorderStep; by: string | null; reason: string | null; change: Change },
): Promise<void> {
  const to = workorderCycle.steps[action].to[0]!;
  if (!(await moveOrder(db, row, { ...change, state: to }))) refuse("workorderChanged");
  const assignee = change.assignee_id ?? row.assignee_id;
  if (assignee && assignee !== row.assignee_id) await markUnread(db, row.id, assignee);
  await addEvent(db, row, { uid: by, action, to, text: reason, isInternal: !seenByClinic.includes(action) });
  await tell(db, {
    name: "workorderMoved",
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

const tellAccepted = (db: Db, row: WorkOrderRow, by: string) =>
  tell(db, {
    name: "workorderAccepted",
    workorderId: row.id,
    type: wireType(row.type),
    deviceId: row.device_id,
    device: { product: row.product, model: row.model, serialNumber: row.serial_number },
    clinicId: row.to_clinic_id ?? row.clinic_id,
    by,
  });
