import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { sql } from "kysely";
import type { Selectable, Updateable } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish, notifyClients } from "../../platform/events/events.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import type { MembershipTable, OrdersTable } from "../../tables/schema.generated.ts";
import type { DesignFault, OrderSide } from "../../tables/order-columns.ts";
import { audienceByAction } from "./audience-by-action.ts";
import type { Audience } from "./audience-by-action.ts";
import { transitionTable } from "./transition-table.ts";
import type { ActionInput, RevisionChanges } from "./transition-types.ts";
import { hashContents } from "../files/attach-uploads.ts";
import { decideTransition } from "./guards.ts";
import { hasRelatedOrders } from "./forwarding-transitions.ts";
import { closeProposal } from "./change-proposal.store.ts";
import {
  addEvent,
  addFiles,
  addRevision,
  addPrescriptionVersion,
  updateRevisions,
  updateOrder,
} from "../core/order.store.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { orderTransitioned, receiptDue } from "../order.events.ts";

export interface TransitionInput {
  given: ActionInput;
  side: OrderSide | "system";
  files?: readonly NewFile[];
  /** Columns that the action sets in addition to its effect. */
  also?: Updateable<OrdersTable>;
  changed?: string[] | null;
  /** The kind of reason that was chosen, and the faults by item. */
  code?: string | null;
  faults?: DesignFault[] | null;
}
/** Additions of an action to its effect. */
export interface CustomTransition {
  act?: Partial<TransitionInput>;
  /** True if it writes rows that only the other side may write. */
  bypassesScope?: boolean;
  after?: (moved: Order) => Promise<void>;
}

/** An action without a person behind it. */
export const systemInput = (now: Date, text: string | null = null): TransitionInput => ({
  side: "system",
  given: { ...emptyActionInput, now, uid: null, text },
});
export const emptyActionInput: Omit<ActionInput, "now" | "uid"> = {
  reason: null,
  text: null,
  files: 0,
  carrier: null,
  trackingNumber: null,
  handDelivery: false,
  promisedDate: null,
  assigneeId: null,
  approve: null,
  rx: null,
  child: null,
};

/**
 * Applies an open action to the order, its files, revisions and timeline, and notifies people. Returns undefined if
 * another change came first.
 */
export async function applyTransition(
  db: Db,
  order: Order,
  action: OrderAction,
  input: TransitionInput,
): Promise<Order | undefined> {
  const change = { ...decideTransition(order, action, input.given), ...input.also };
  const moved = await updateOrder(db, order, orderLifecycle.steps[action].from, change);
  if (!moved) return undefined;
  const revisionChanges = transitionTable[action].revisions?.(order, input.given) ?? {};
  await addFiles(db, moved, await addSubmittedRevision(db, moved, revisionChanges, input));
  await updateRevisions(db, moved, revisionChanges, input.given.uid);
  if (moved.rx_revision > order.rx_revision) await addPrescriptionVersion(db, moved, input.given.uid);
  if (order.change_request !== null && moved.change_request === null) await closeProposal(db, order, input.given);
  await recordTransition(db, order, moved, action, revisionChanges, input);
  return moved;
}

async function addSubmittedRevision(
  db: Db,
  order: Order,
  revisionChanges: RevisionChanges,
  input: TransitionInput,
): Promise<readonly NewFile[]> {
  const files = input.files ?? [];
  const kind = (["scheme", "design"] as const).find((each) => revisionChanges[each] === "new");
  if (!kind || !input.given.uid) return files;
  const number = currentRevision(order, kind);
  const id = newId();
  const contents = files.map((file) => file.sha256);
  const hash = hashContents(contents, kind, String(number), input.given.text ?? "");
  await addRevision(db, order, { id, kind, number, hash, text: input.given.text, user_id: input.given.uid });
  // New ids, because the same upload may be submitted again.
  return files.map((file) => ({ ...file, id: newId(), revision_id: id }));
}
const currentRevision = (order: Order, kind: "scheme" | "design"): number =>
  kind === "scheme" ? order.scheme_revision : order.design_revision;

async function recordTransition(
  db: Db,
  before: Order,
  order: Order,
  action: OrderAction,
  revisionChanges: RevisionChanges,
  input: TransitionInput,
): Promise<void> {
  const kind = (["design", "scheme"] as const).find((each) => revisionChanges[each]);
  addEvent(db, order, {
    action,
    from: before.state,
    uid: input.given.uid,
    side: input.side,
    text: timelineText(input.given),
    revision: kind ? currentRevision(order, kind) : input.given.rx ? order.rx_revision : null,
    changed: input.changed ?? null,
    code: input.code ?? null,
    faults: input.faults ?? null,
  });
  await publishOrderMoved(db, order, action, input.given.uid, {
    side: input.side,
    isRelated: hasRelatedOrders(before) || hasRelatedOrders(order),
  });
}
const timelineText = (actionInput: ActionInput): string | null =>
  actionInput.reason ??
  actionInput.text ??
  ([actionInput.carrier, actionInput.trackingNumber].filter(Boolean).join(" ") || null);

/** Notifies open tabs on both sides and the users whom the action concerns; the receiver only after the hand-over. */
export async function publishOrderMoved(
  db: Db,
  order: Order,
  action: OrderAction,
  uid: string | null,
  { side = "sender", isRelated = hasRelatedOrders(order) }: { side?: OrderSide | "system"; isRelated?: boolean } = {},
): Promise<void> {
  const receiver = order.handed_over_at === null ? null : order.receiver_id;
  await notifyClients(db, { institutions: [order.institution_id, receiver] }, "order", order.id);
  // All subscribers of this event bypass the tenant scope; bypass it once for all of them.
  await bypassTenantScope(db, async () =>
    publish(db, orderTransitioned, {
      orderId: order.id,
      number: order.number,
      action,
      to: order.state,
      by: uid ?? "",
      side,
      sender: order.institution_id,
      receiver,
      hasRelatedOrders: isRelated,
      recipients: (await findAudience(db, order, receiver, audienceByAction[action])).filter((user) => user !== uid),
      responsible: [order.creator_id, order.made_by, order.assignee_id].filter((user) => user !== null),
    }),
  );
}

/** Reminds the creator that the receipt of an order is still open. */
export async function publishReceiptDue(db: Db, order: Order): Promise<void> {
  await publish(db, receiptDue, {
    orderId: order.id,
    number: order.number,
    sender: order.institution_id,
    days: order.receipt_reminded,
    recipients: await findAudience(db, order, null, ["creator"]),
  });
}

const managerIds: number[] = managerRoles.map((role) => roles[role].authorityId);

/** Returns only users who are still members. */
async function findAudience(
  db: Db,
  order: Order,
  receiver: string | null,
  wanted: readonly Audience[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const institutions = [order.institution_id, ...(receiver ? [receiver] : [])];
  const { rows: members } = await bypassTenantScope(db, () =>
    sql<Pick<Selectable<MembershipTable>, "user_id" | "institution_id" | "authority_id">>`${prepared}
      select user_id, institution_id, authority_id from membership
      where state = 'normal' and institution_id = any(${institutions}::uuid[])`.execute(db),
  );
  const isCreator = (member: (typeof members)[number]) =>
    member.institution_id === order.institution_id && member.user_id === order.creator_id;
  // The managers of the institution answer for an order that a program sent.
  const hasNoCreator = !members.some(isCreator);
  const isInAudience: Record<Audience, (member: (typeof members)[number]) => boolean> = {
    creator: (member) => isCreator(member) || (hasNoCreator && isInAudience.senderAdmins(member)),
    drafter: (member) => member.institution_id === order.institution_id && member.user_id === order.made_by,
    senderAdmins: (member) =>
      member.institution_id === order.institution_id && managerIds.includes(member.authority_id),
    assignee: (member) => member.institution_id === receiver && member.user_id === order.assignee_id,
    receiverAdmins: (member) => member.institution_id === receiver && managerIds.includes(member.authority_id),
  };
  return [
    ...new Set(
      members.filter((member) => wanted.some((each) => isInAudience[each](member))).map((member) => member.user_id),
    ),
  ];
}
