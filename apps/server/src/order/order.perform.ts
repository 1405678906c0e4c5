import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { sql } from "kysely";
import type { Selectable, Updateable } from "kysely";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import type { MembershipTable } from "../tables/institution.ts";
import type { Fault, OrdersTable, Side } from "../tables/order.ts";
import { audiences } from "./order.audience.ts";
import type { Audience } from "./order.audience.ts";
import { effects } from "./order.effects.ts";
import type { Given, RevisionMarks } from "./order.effect.ts";
import { hashOf } from "./order.files.ts";
import { decide } from "./order.ts";
import { hasKin } from "./order.forward.effects.ts";
import { closeProposal } from "./order.proposal.store.ts";
import { addEvent, addFiles, addRevision, addRx, markRevisions, moveOrder } from "./order.store.ts";
import type { NewFile, Order } from "./order.store.ts";

export interface Act {
  given: Given;
  side: Side | "system";
  files?: readonly NewFile[];
  /** Columns that the action sets in addition to its effect. */
  also?: Updateable<OrdersTable>;
  changed?: string[] | null;
  /** The kind of reason that was chosen, and the faults by item. */
  code?: string | null;
  faults?: Fault[] | null;
}
/** Additions of an action beside its effect. */
export interface Special {
  act?: Partial<Act>;
  /** True if it writes rows that only the other side may write. */
  beyond?: boolean;
  after?: (moved: Order) => Promise<void>;
}

/** An action without a person behind it. */
export const bySystem = (now: Date, text: string | null = null): Act => ({
  side: "system",
  given: { ...nothingGiven, now, uid: null, text },
});
export const nothingGiven: Omit<Given, "now" | "uid"> = {
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
export async function perform(db: Db, order: Order, action: OrderAction, act: Act): Promise<Order | undefined> {
  const change = { ...decide(order, action, act.given), ...act.also };
  const moved = await moveOrder(db, order, orderCycle.steps[action].from, change);
  if (!moved) return undefined;
  const marks = effects[action].revisions?.(order, act.given) ?? {};
  await addFiles(db, moved, await withRevision(db, moved, marks, act));
  await markRevisions(db, moved, marks, act.given.uid);
  if (moved.rx_revision > order.rx_revision) await addRx(db, moved, act.given.uid);
  if (order.change_request !== null && moved.change_request === null) await closeProposal(db, order, act.given);
  await record(db, order, moved, action, marks, act);
  return moved;
}

async function withRevision(db: Db, order: Order, marks: RevisionMarks, act: Act): Promise<readonly NewFile[]> {
  const files = act.files ?? [];
  const kind = (["scheme", "design"] as const).find((each) => marks[each] === "new");
  if (!kind || !act.given.uid) return files;
  const number = revisionOf(order, kind);
  const id = newId();
  const contents = files.map((file) => file.sha256);
  const hash = hashOf(contents, kind, String(number), act.given.text ?? "");
  await addRevision(db, order, { id, kind, number, hash, text: act.given.text, user_id: act.given.uid });
  // New ids, because the same upload may be submitted again.
  return files.map((file) => ({ ...file, id: newId(), revision_id: id }));
}
const revisionOf = (order: Order, kind: "scheme" | "design"): number =>
  kind === "scheme" ? order.scheme_revision : order.design_revision;

async function record(
  db: Db,
  before: Order,
  order: Order,
  action: OrderAction,
  marks: RevisionMarks,
  act: Act,
): Promise<void> {
  const kind = (["design", "scheme"] as const).find((each) => marks[each]);
  addEvent(db, order, {
    action,
    from: before.state,
    uid: act.given.uid,
    side: act.side,
    text: spoken(act.given),
    revision: kind ? revisionOf(order, kind) : act.given.rx ? order.rx_revision : null,
    changed: act.changed ?? null,
    code: act.code ?? null,
    faults: act.faults ?? null,
  });
  await spread(db, order, action, act.given.uid, hasKin(before) || hasKin(order));
}
const spoken = (given: Given): string | null =>
  given.reason ?? given.text ?? ([given.carrier, given.trackingNumber].filter(Boolean).join(" ") || null);

/** Notifies open tabs on both sides and the people whom the action concerns; the receiver only after the hand-over. */
export async function spread(
  db: Db,
  order: Order,
  action: OrderAction,
  uid: string | null,
  kin = hasKin(order),
): Promise<void> {
  const receiver = order.handed_over_at === null ? null : order.receiver_id;
  await notifyClients(db, { institutions: [order.institution_id, receiver] }, "order", order.id);
  // All subscribers of this event bypass the tenant scope; bypass it once for all of them.
  await bypassTenantScope(db, async () =>
    tell(db, {
      name: "orderMoved",
      orderId: order.id,
      number: order.number,
      action,
      to: order.state,
      by: uid ?? "",
      sender: order.institution_id,
      receiver,
      kin,
      publish: (await audienceOf(db, order, receiver, audiences[action])).filter((user) => user !== uid),
    }),
  );
}

/** Reminds the creator that the receipt of an order is still open. */
export async function remindReceipt(db: Db, order: Order): Promise<void> {
  await tell(db, {
    name: "receiptDue",
    orderId: order.id,
    number: order.number,
    sender: order.institution_id,
    days: order.receipt_reminded,
    tell: await audienceOf(db, order, null, ["creator"]),
  });
}

const managerIds: number[] = managerRoles.map((role) => roles[role].authorityId);

/** Returns only users who are still members. */
async function audienceOf(
  db: Db,
  order: Order,
  receiver: string | null,
  wanted: readonly Audience[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const houses = [order.institution_id, ...(receiver ? [receiver] : [])];
  const { rows: members } = await bypassTenantScope(db, () =>
    sql<Pick<Selectable<MembershipTable>, "user_id" | "institution_id" | "authority_id">>`${prepared}
      select user_id, institution_id, authority_id from membership
      where state = 'normal' and institution_id = any(${houses}::uuid[])`.execute(db),
  );
  const isCreator = (member: (typeof members)[number]) =>
    member.institution_id === order.institution_id && member.user_id === order.creator_id;
  // The managers of the institution answer for an order that a program sent.
  const isAnybodys = !members.some(isCreator);
  const belongs: Record<Audience, (member: (typeof members)[number]) => boolean> = {
    creator: (member) => isCreator(member) || (isAnybodys && belongs.senderAdmins(member)),
    drafter: (member) => member.institution_id === order.institution_id && member.user_id === order.made_by,
    senderAdmins: (member) =>
      member.institution_id === order.institution_id && managerIds.includes(member.authority_id),
    assignee: (member) => member.institution_id === receiver && member.user_id === order.assignee_id,
    receiverAdmins: (member) => member.institution_id === receiver && managerIds.includes(member.authority_id),
  };
  return [
    ...new Set(
      members.filter((member) => wanted.some((each) => belongs[each](member))).map((member) => member.user_id),
    ),
  ];
}
