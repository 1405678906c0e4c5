import type { Parsed } from "@arcada/contract/kernel/call";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { labRoles, roles } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { ActionInput } from "./transition-types.ts";
import { lockOrderChain } from "../forwarding/related-orders.ts";
import { hasRelatedOrders } from "./forwarding-transitions.ts";
import { attachUploads } from "../files/attach-uploads.ts";
import type { FileRole } from "../files/attach-uploads.ts";
import { isMesh } from "../files/mesh-check.ts";
import { applyTransition } from "./apply-transition.ts";
import { checkPrescription, mergePrescription } from "../prescription/prescription-changes.ts";
import { customTransitions } from "./custom-transitions.ts";
import { findMissingInput, partiesOf, sideOf, findRefusal } from "./guards.ts";
import { deleteOrder, findNewestRevision, findVisibleOrder } from "../core/order.store.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { sendOrder } from "./send-order.ts";
import { viewOrder } from "../core/order.view.ts";

type StepInput = Parsed<typeof orderCalls.step>;

/** Applies one action of a person to an order. Returns the changed order, or null if the action removed it. */
export async function performAction(context: MemberContext, input: StepInput): Promise<Order | null> {
  const { db, principal, now } = context;
  const order = await findOrderForAction(context, input.id);
  await refuseIfStale(context, order, input.version);
  const closed = findRefusal(order, input.action, partiesOf(order, principal), now);
  // A draft is written by `save`, which has its whole content.
  if (closed || input.action === "edit")
    return refuse(closed ?? "orderActionNotAllowed", await viewOrder(context, order.id));
  const actionInput = readActionInput(input, context, order);
  const refusal = findMissingInput(orderLifecycle.steps[input.action].asks ?? [], actionInput);
  if (refusal) refuse(refusal, refusal === "badInput" ? { approve: "required" } : null);
  if (input.action === "delete") return (await removeDraft(context, order)) ? null : refuseAsChanged(context, order.id);
  const moved =
    input.action === "submit"
      ? await sendOrder(db, order, principal.uid, now)
      : await runTransition(context, order, input, actionInput);
  return moved ?? refuseAsChanged(context, order.id);
}

/** Related orders are moved by one transaction at a time. */
async function findOrderForAction({ db, principal }: MemberContext, id: string): Promise<Order> {
  const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
  if (!hasRelatedOrders(order)) return order;
  await lockOrderChain(db, order);
  return (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
}

/** The refusal contains the current order, so that the page can show it at once. */
export async function refuseIfStale(context: MemberContext, order: Order, version: number): Promise<void> {
  if (order.version !== version) refuse("orderChanged", await viewOrder(context, order.id));
}

/** Another person's action came between reading and writing. */
export async function refuseAsChanged(context: MemberContext, id: string): Promise<never> {
  return refuse("orderChanged", await viewOrder(context, id));
}

async function removeDraft({ db }: MemberContext, order: Order): Promise<boolean> {
  const isDeleted = await deleteOrder(db, order);
  if (isDeleted) await notifyClients(db, { institutions: [order.institution_id] }, "order", order.id);
  return isDeleted;
}

const emptyToNull = (text: string | undefined): string | null => text || null;

function readActionInput(input: StepInput, { principal, now }: MemberContext, order: Order): ActionInput {
  return {
    now,
    uid: principal.uid,
    reason: emptyToNull(input.reason),
    text: emptyToNull(input.text),
    files: (input.files?.length ?? 0) + (input.delivered ? 1 : 0),
    carrier: emptyToNull(input.carrier),
    trackingNumber: emptyToNull(input.trackingNumber),
    handDelivery: input.handDelivery ?? false,
    promisedDate: input.promisedDate ?? null,
    assigneeId: input.assigneeId ?? null,
    approve: input.approve ?? null,
    rx: input.prescription ? mergePrescription(input.prescription, order) : null,
    child: null,
  };
}

async function runTransition(
  context: MemberContext,
  order: Order,
  input: StepInput,
  actionInput: ActionInput,
): Promise<Order | undefined> {
  const { db, principal } = context;
  await checkRequiredInput(context, order, input);
  const files = await attachInputFiles(context, order, input);
  if (actionInput.rx && input.action === "supplyInfo" && order.state !== "pending")
    refuse("badInput", { prescription: "notAsked" });
  const changed = actionInput.rx ? await checkPrescription(db, order, actionInput.rx, files) : null;
  const common = { given: actionInput, side: sideOf(order, principal), files, changed, ...reasonColumns(input) };
  const {
    act: own,
    bypassesScope,
    after,
  } = (await customTransitions[input.action]?.(context, order, input, common)) ?? {};
  const work = () => applyTransition(db, order, input.action, { ...common, ...own });
  const moved = bypassesScope ? await bypassTenantScope(db, work) : await work();
  if (moved) await after?.(moved);
  return moved;
}

const reasonColumns = ({ action, reasonCode, faults }: StepInput) => ({
  code: action === "refuse" ? (reasonCode ?? "other") : action === "cancel" ? (reasonCode ?? null) : null,
  faults: action === "returnDesign" ? (faults ?? null) : null,
});

/** Checks the input that needs the database: the revision that is confirmed, and the person who is to do the work. */
async function checkRequiredInput({ db, principal }: MemberContext, order: Order, input: StepInput): Promise<void> {
  const required: readonly string[] = orderLifecycle.steps[input.action].asks ?? [];
  if (required.includes("revision")) {
    const kind = order.state === "awaiting_scheme" ? "scheme" : "design";
    const newest = await findNewestRevision(db, order, kind, principal.uid);
    if (!newest || newest.hash !== input.revisionHash) refuse("orderRevisionStale");
    // The work goes into a mouth, so nobody approves a design by its number alone.
    if (kind === "design" && newest?.opened === null) refuse("designNotSeen");
  }
  if (
    required.includes("assignee") &&
    input.assigneeId &&
    input.assigneeId !== principal.uid &&
    !(await isLabMember(db, principal.iid, input.assigneeId))
  )
    refuse("notFound");
}

async function isLabMember(db: Db, iid: string, uid: string): Promise<boolean> {
  const found = await db
    .selectFrom("membership")
    .select("id")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .where(
      "authority_id",
      "in",
      labRoles.map((role) => roles[role].authorityId),
    )
    .executeTakeFirst();
  return found !== undefined;
}

const toAnswerRole = (given: FileRole): FileRole => (given === "scheme" || given === "design" ? "answer" : given);
/** The action that brings a file determines the file's role; an answer may bring a scan that was missing. */
const fileRoleByAction: Partial<Record<OrderAction, (given: FileRole) => FileRole>> = {
  submitScheme: () => "scheme",
  submitDesign: () => "design",
  redeliver: () => "photo",
  supplyInfo: toAnswerRole,
  proposeChange: toAnswerRole,
};

async function attachInputFiles(context: MemberContext, order: Order, input: StepInput): Promise<NewFile[]> {
  const sent = input.files ?? [];
  if (sent.length === 0) return [];
  const role = fileRoleByAction[input.action];
  if (!role) return refuse("badInput", { files: "notAsked" });
  const attached = sent.map((file) => ({ upload: file.upload, role: role(file.role) }));
  const newFiles = await attachUploads(context, attached, { side: sideOf(order, context.principal), revisionId: null });
  if (input.action === "submitDesign" && !newFiles.some((file) => isMesh(file.content)))
    refuse("orderFilesMissing" satisfies RefusalName);
  return newFiles;
}
