import type { Parsed } from "@arcada/contract/kernel/call";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { labRoles, roles } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Given } from "./order.effect.ts";
import { holdFamily } from "./order.family.ts";
import { hasKin } from "./order.forward.effects.ts";
import { takeUploads } from "./order.files.ts";
import type { FileRole } from "./order.files.ts";
import { isMesh } from "./mesh-check.ts";
import { perform } from "./order.perform.ts";
import { checkRx, rxFrom } from "./order.rx.ts";
import { specials } from "./order.special.ts";
import { lacking, partiesOf, sideOf, whyNot } from "./order.ts";
import { deleteOrder, newestHash, orderById } from "./order.store.ts";
import type { NewFile, Order } from "./order.store.ts";
import { sendOrder } from "./order.transfer.ts";
import { viewOrder } from "./order.view.ts";

type StepInput = Parsed<typeof orderCalls.step>;

/** Applies one action of a person to an order. Returns the changed order, or null if the action removed it. */
export async function takeStep(context: MemberContext, input: StepInput): Promise<Order | null> {
  const { db, asker, now } = context;
  const order = await orderToMove(context, input.id);
  await refuseStale(context, order, input.version);
  const closed = whyNot(order, input.action, partiesOf(order, asker), now);
  // A draft is written by `save`, which has its whole content.
  if (closed || input.action === "edit")
    return refuse(closed ?? "orderActionNotAllowed", await viewOrder(context, order.id));
  const given = givenBy(input, context, order);
  const lacks = lacking(orderCycle.steps[input.action].asks ?? [], given);
  if (lacks) refuse(lacks, lacks === "badInput" ? { approve: "required" } : null);
  if (input.action === "delete") return (await removeDraft(context, order)) ? null : lostRace(context, order.id);
  const moved =
    input.action === "submit" ? await sendOrder(db, order, asker.uid, now) : await act(context, order, input, given);
  return moved ?? lostRace(context, order.id);
}

/** Related orders are moved by one transaction at a time. */
async function orderToMove({ db, asker }: MemberContext, id: string): Promise<Order> {
  const order = (await orderById(db, asker.iid, id)) ?? refuse("notFound");
  if (!hasKin(order)) return order;
  await holdFamily(db, order);
  return (await orderById(db, asker.iid, id)) ?? refuse("notFound");
}

/** The refusal contains the current order, so that the page can show it at once. */
export async function refuseStale(context: MemberContext, order: Order, version: number): Promise<void> {
  if (order.version !== version) refuse("orderChanged", await viewOrder(context, order.id));
}

/** Another person's action came between reading and writing. */
export async function lostRace(context: MemberContext, id: string): Promise<never> {
  return refuse("orderChanged", await viewOrder(context, id));
}

async function removeDraft({ db }: MemberContext, order: Order): Promise<boolean> {
  const gone = await deleteOrder(db, order);
  if (gone) await notifyClients(db, { institutions: [order.institution_id] }, "order", order.id);
  return gone;
}

const filled = (text: string | undefined): string | null => text || null;

function givenBy(input: StepInput, { asker, now }: MemberContext, order: Order): Given {
  return {
    now,
    uid: asker.uid,
    reason: filled(input.reason),
    text: filled(input.text),
    files: (input.files?.length ?? 0) + (input.delivered ? 1 : 0),
    carrier: filled(input.carrier),
    trackingNumber: filled(input.trackingNumber),
    handDelivery: input.handDelivery ?? false,
    promisedDate: input.promisedDate ?? null,
    assigneeId: input.assigneeId ?? null,
    approve: input.approve ?? null,
    rx: input.prescription ? rxFrom(input.prescription, order) : null,
    child: null,
  };
}

async function act(context: MemberContext, order: Order, input: StepInput, given: Given): Promise<Order | undefined> {
  const { db, asker } = context;
  await checkAsked(context, order, input);
  const files = await filesOf(context, order, input);
  if (given.rx && input.action === "supplyInfo" && order.state !== "pending")
    refuse("badInput", { prescription: "notAsked" });
  const changed = given.rx ? await checkRx(db, order, given.rx, files) : null;
  const common = { given, side: sideOf(order, asker), files, changed, ...reasonsOf(input) };
  const { act: own, beyond, after } = (await specials[input.action]?.(context, order, input, common)) ?? {};
  const work = () => perform(db, order, input.action, { ...common, ...own });
  const moved = beyond ? await bypassTenantScope(db, work) : await work();
  if (moved) await after?.(moved);
  return moved;
}

const reasonsOf = ({ action, reasonCode, faults }: StepInput) => ({
  code: action === "refuse" ? (reasonCode ?? "other") : action === "cancel" ? (reasonCode ?? null) : null,
  faults: action === "returnDesign" ? (faults ?? null) : null,
});

/** Checks the input that needs the database: the revision that is confirmed, and the person who is to do the work. */
async function checkAsked({ db, asker }: MemberContext, order: Order, input: StepInput): Promise<void> {
  const asks: readonly string[] = orderCycle.steps[input.action].asks ?? [];
  if (asks.includes("revision")) {
    const newest = await newestHash(db, order, order.state === "awaiting_scheme" ? "scheme" : "design");
    if (!newest || newest !== input.revisionHash) refuse("orderRevisionStale");
  }
  if (
    asks.includes("assignee") &&
    input.assigneeId &&
    input.assigneeId !== asker.uid &&
    !(await worksHere(db, asker.iid, input.assigneeId))
  )
    refuse("notFound");
}

async function worksHere(db: Db, iid: string, uid: string): Promise<boolean> {
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

const answerRole = (given: FileRole): FileRole => (given === "scheme" || given === "design" ? "answer" : given);
/** The action that brings a file determines the file's role; an answer may bring a scan that was missing. */
const roleOf: Partial<Record<OrderAction, (given: FileRole) => FileRole>> = {
  submitScheme: () => "scheme",
  submitDesign: () => "design",
  redeliver: () => "photo",
  supplyInfo: answerRole,
  proposeChange: answerRole,
};

async function filesOf(context: MemberContext, order: Order, input: StepInput): Promise<NewFile[]> {
  const sent = input.files ?? [];
  if (sent.length === 0) return [];
  const role = roleOf[input.action];
  if (!role) return refuse("badInput", { files: "notAsked" });
  const attached = sent.map((file) => ({ upload: file.upload, role: role(file.role) }));
  const taken = await takeUploads(context, attached, { side: sideOf(order, context.asker), revisionId: null });
  if (input.action === "submitDesign" && !taken.some((file) => isMesh(file.content)))
    refuse("orderFilesMissing" satisfies RefusalName);
  return taken;
}
