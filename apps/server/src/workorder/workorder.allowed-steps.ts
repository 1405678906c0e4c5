import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Role } from "@arcada/contract/kernel/roles";
import { workorderLifecycle, workorderSteps } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderAction, WorkorderParty, WorkorderStep } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderFileRole, WorkorderType } from "@arcada/contract/workorder/workorder.rules";
import type { WorkOrderRow } from "./workorder.store.ts";

export interface Actor {
  uid: string;
  role: Role;
}
type OrderState = Pick<
  WorkOrderRow,
  | "state"
  | "assignee_id"
  | "alternate_id"
  | "created_by"
  | "finished_at"
  | "finish_parts"
  | "assignee_gone"
  | "alternate_gone"
>;

export const toWireType = (type: WorkOrderRow["type"]): WorkorderType =>
  type === "move_machine" ? "moveMachine" : type;
export const toStoredType = (type: WorkorderType): WorkOrderRow["type"] =>
  type === "moveMachine" ? "move_machine" : type;

export const dayMs = 86_400_000;
/** Until then a finished order may be opened again; then it closes. */
export const closingTime = (finishedAt: string): number => Date.parse(finishedAt) + workorderRules.closeDays * dayMs;

/**
 * Returns the roles of a user towards an order. If its assignee no longer works in after-sales, a manager counts as the
 * assignee.
 */
function partiesOf(row: OrderState, { uid, role }: Actor): WorkorderParty[] {
  const isAdmin = role === "afterSalesAdmin";
  const isAssignee = row.assignee_id === uid || (isAdmin && row.assignee_gone);
  return [...(isAdmin ? (["admin"] as const) : []), ...(isAssignee ? (["assignee"] as const) : [])];
}

/** Conditions that block a step although the table allows it. */
const guards: Partial<Record<WorkorderAction, (row: OrderState, actor: Actor, now: Date) => RefusalName | null>> = {
  handOver: (row) => (hasAlternate(row) ? null : "workorderNoAlternate"),
  askTransfer: (row) => (hasAlternate(row) ? "workorderHasAlternate" : null),
  pass: (row, { uid }) => (row.assignee_id === uid ? "workorderOwnReview" : null),
  reopen: (row, _, now) => (closingTime(row.finished_at!) > now.getTime() ? null : "workorderReopenLate"),
  void: (row) => (row.state === "in_progress" && row.finish_parts.length > 0 ? "workorderPartsUsed" : null),
};

const hasAlternate = (row: OrderState): boolean => row.alternate_id !== null && !row.alternate_gone;

/** Returns the reason why a user may not take this step now; null: they may. */
export function findBlocker(row: OrderState, action: WorkorderStep, actor: Actor, now: Date): RefusalName | null {
  const step = workorderLifecycle.steps[action];
  const parties = partiesOf(row, actor);
  if (!step.from.some((state) => state === row.state) || !step.by.some((party) => parties.includes(party)))
    return "workorderActionNotAllowed";
  return guards[action]?.(row, actor, now) ?? null;
}

export const listOpenSteps = (row: OrderState, actor: Actor, now: Date): WorkorderStep[] =>
  actionsFrom(workorderLifecycle, row.state).filter(
    (action): action is WorkorderStep =>
      (workorderSteps as readonly string[]).includes(action) &&
      findBlocker(row, action as WorkorderStep, actor, now) === null,
  );

/** Returns true if a user may record the finished work, and add its files. */
export const mayFinish = (row: OrderState, { uid }: Actor): boolean =>
  row.state === "in_progress" && row.assignee_id === uid;
/** The appointment at the clinic is planned until the work is handed in. */
export const mayPlan = (row: OrderState, { uid, role }: Actor): boolean =>
  ["new", "in_progress"].includes(row.state) && (role === "afterSalesAdmin" || row.assignee_id === uid);
/** The log is open from the start of the work to its end. */
export const mayNote = (row: OrderState, { uid, role }: Actor): boolean =>
  ["in_progress", "transfer_review", "acceptance_review"].includes(row.state) &&
  (role === "afterSalesAdmin" || row.assignee_id === uid);
/** The creator of the order may add files to the report until the work has begun. */
export const mayReport = (row: OrderState, { uid, role }: Actor): boolean =>
  row.state === "new" && (role === "afterSalesAdmin" || row.created_by === uid);
export const mayAddFile = (row: OrderState, role: WorkorderFileRole, actor: Actor): boolean =>
  role === "report" ? mayReport(row, actor) : mayFinish(row, actor);

export const whoseTurn = (row: OrderState): "assignee" | "admin" | null => {
  if (row.state === "transfer_review" || row.state === "acceptance_review") return "admin";
  if (row.state === "in_progress") return "assignee";
  if (row.state === "new") return row.assignee_id ? "assignee" : "admin";
  return null;
};

interface ReportedFile {
  role: WorkorderFileRole;
  bytes: number;
  sha256: string | null;
}
/** Returns what is missing in the finished work (W8); `details` fill in the text of the refusal. */
export function findMissing(
  row: Pick<WorkOrderRow, "type" | "serial_number" | "finish_serial" | "finish_description">,
  files: readonly ReportedFile[],
): MissingWork | null {
  const { min, max } = workorderRules.pictures[toWireType(row.type)];
  const count = files.filter(({ role }) => role === "picture").length;
  if (files.some(({ sha256 }) => sha256 === null)) return { refusal: "workorderFilesSending" };
  if (row.finish_serial.toLowerCase() !== row.serial_number.toLowerCase()) return { refusal: "workorderSerialWrong" };
  if (row.finish_description === "") return { refusal: "workorderFinishMissing" };
  if (!files.some(({ role }) => role === "receipt")) return { refusal: "workorderReceiptMissing" };
  if (count < min) return { refusal: "workorderPicturesFew", details: { least: String(min), count: String(count) } };
  if (count > max) return { refusal: "workorderPicturesMany", details: { most: String(max) } };
  return findTooLarge(files);
}

const formatMegabytes = (bytes: number): string => String(bytes / 1e6);
interface MissingWork {
  refusal: RefusalName;
  details?: Record<string, string>;
}
export function findTooLarge(files: readonly { bytes: number; name?: string }[]): MissingWork | null {
  const large = files.find(({ bytes }) => bytes > workorderRules.fileBytes);
  if (large)
    return {
      refusal: "workorderFileTooLarge",
      details: { name: large.name ?? "", most: formatMegabytes(workorderRules.fileBytes) },
    };
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all <= workorderRules.allBytes) return null;
  return { refusal: "workorderFilesTooLarge", details: { most: formatMegabytes(workorderRules.allBytes) } };
}
