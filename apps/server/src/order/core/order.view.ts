import { sql } from "kysely";
import type { Order as OrderAnswer, OrderRow } from "@arcada/contract/order/order.calls";
import { findRights, rightsRules } from "@arcada/contract/order/receiver-rights";
import { missingFor } from "@arcada/contract/order/order.rules";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { relatedOrdersView, relatedOrdersQuery, proposalView } from "../forwarding/related-orders.view.ts";
import { filesView } from "../files/file-view.ts";
import { canDecideOnSharing, isLabSharingAllowed, mayShare } from "../files/file-access.ts";
import { openActions, sideOf } from "../transition/guards.ts";
import type { OrderPrincipal } from "../transition/guards.ts";
import { completeOrder, listWork, readOrder, readPartsWith } from "./order.read.ts";
import type { NamedOrder, OrderParts, ReadOrder } from "./order.read.ts";
import type { Order } from "./order.store.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

export interface Reader {
  db: Db;
  principal: OrderPrincipal;
  now: Date;
}

/** The order as this reader may see it, read afresh. */
export async function viewOrder(reader: Reader, id: string, retries = 2): Promise<OrderAnswer> {
  const { db, principal } = reader;
  const order = (await readOrder(db, principal.iid, id)) ?? refuse("notFound");
  const { parts, also: related } = await readPartsWith(db, order, relatedOrdersQuery(principal.iid, order));
  const view = await buildView(reader, order, parts, related);
  // Each query sees its own moment: a step in between would be in the files and not in the state.
  const isInconsistent = retries > 0 && (await readVersion(db, order)) !== order.version;
  return isInconsistent ? viewOrder(reader, id, retries - 1) : view;
}

/**
 * Does the same for a caller who has just changed the order and holds its lock: no other step can happen in between,
 * except one that this step caused by way of a related order.
 */
export async function viewChangedOrder(reader: Reader, moved: Order): Promise<OrderAnswer> {
  const { db, principal } = reader;
  const read = await completeOrder(db, principal.iid, moved, relatedOrdersQuery(principal.iid, moved));
  return read ? buildView(reader, read.order, read.parts, read.also) : viewOrder(reader, moved.id);
}

async function buildView(
  reader: Reader,
  order: ReadOrder,
  parts: OrderParts,
  related: Parameters<typeof relatedOrdersView>[2],
): Promise<OrderAnswer> {
  const { db, principal, now } = reader;
  const family = await relatedOrdersView(reader, order, related);
  const proposal = await proposalView(db, order, parts.files, principal, now);
  const shown = orderView(order, parts, principal, now);
  const actions = shown.actions.filter((action) => action !== "prepareForward" || family.mayForward);
  return { ...shown, actions, family, proposal };
}

async function readVersion(db: Db, { institution_id: iid, id }: Order): Promise<number | undefined> {
  const { rows } = await sql<Pick<Order, "version">>`${prepared} select version from orders
    where institution_id = ${iid} and id = ${id}`.execute(db);
  return rows[0]?.version;
}

export function rowView(order: NamedOrder, principal: Pick<OrderPrincipal, "iid">): OrderRow {
  const ownSide = sideOf(order, principal);
  return {
    ...pickColumns(
      order,
      "id",
      "number",
      "state",
      "turn",
      "step",
      "holder",
      "scheme_revision",
      "design_revision",
      "case_type",
      "due_date",
      "promised_date",
      "created_at",
      "updated_at",
      "unread",
      "version",
    ),
    patientName: order.shown_name,
    patientNumber: order.shown_number,
    teeth: [...new Set(order.rx.items.flatMap((item) => item.teeth))],
    // A lab whose rights ended with the order keeps its head line alone.
    work: readsAll(order, ownSide) ? listWork(order) : [],
    sender: { iid: order.institution_id, name: order.sender_name, number: order.sender_number },
    receiver: order.receiver_id
      ? { iid: order.receiver_id, name: order.receiver_name ?? "", number: order.receiver_number ?? "" }
      : null,
    creatorName: order.drafter,
    responsibleName: order.creator,
    assigneeName: order.assignee,
    assigneeId: ownSide === "receiver" ? order.assignee_id : null,
    mine: ownSide,
    myTurn: order.turn === ownSide,
  };
}

const readsAll = (order: Order, ownSide: ReturnType<typeof sideOf>): boolean =>
  ownSide === "sender" || findRights(order).reads === "all";

function orderView(
  order: ReadOrder,
  parts: OrderParts,
  principal: OrderPrincipal,
  now: Date,
): Omit<OrderAnswer, "family" | "proposal"> {
  const ownSide = sideOf(order, principal);
  const isComplete = readsAll(order, ownSide);
  const { studies: _, ...rx } = isComplete ? order.rx : { ...order.rx, ...emptyPrescription };
  return {
    ...rowView(order, principal),
    ...peopleView(order, ownSide),
    patientId: ownSide === "sender" ? order.patient_id : null,
    prescription: { ...rx, caseType: order.case_type, targetIid: order.receiver_id, dueDate: order.due_date },
    rxRevision: order.rx_revision,
    files: filesView(order, parts.files, ownSide, now),
    revisions: parts.revisions.map((row) => ({
      id: row.id,
      kind: row.kind,
      number: row.number,
      hash: row.hash,
      text: row.text,
      state: row.state,
      time: row.created_at,
      who: row.who ?? "",
      decided: row.decided_at === null ? null : { who: row.decider ?? "", time: row.decided_at },
      seen: row.seen,
    })),
    events: eventsView(order.timeline ?? []),
    messages: parts.messages.map((row) => ({
      id: row.id,
      time: row.at,
      who: row.who ?? "",
      mine: row.side === ownSide,
      text: row.text,
      mentions: row.mentioned,
    })),
    readings: parts.readings.map((row) => ({
      who: row.who ?? "",
      mine: row.side === ownSide,
      self: row.user_id === principal.uid,
      ...pickColumns(row, "up_to", "at"),
    })),
    shipment: order.dispatched_at
      ? {
          ...pickColumns(order, "carrier", "tracking_number", "hand_delivery"),
          at: order.dispatched_at,
        }
      : null,
    ...pickColumns(order, "info_request", "cancel_request"),
    missing: order.state === "draft" ? findMissingFields(order, parts.files) : [],
    actions: openActions(order, principal, now),
    mayChat: mayChat(order, now),
    mayShare: mayShare(order, principal, now),
    labShares:
      ownSide === "sender" && order.parent_id === null && canDecideOnSharing(order, principal)
        ? isLabSharingAllowed(order)
        : null,
    nameHidden: order.name_masked,
  };
}

/** Each side sees its own people, and those of the other side while the order is open to both. */
function peopleView(order: ReadOrder, ownSide: "sender" | "receiver"): Pick<OrderAnswer, "responsibleId" | "contacts"> {
  const isOpenToBoth = order.handed_over_at !== null && findRights(order).reads === "all";
  const { sender = null, receiver = null } = order.contacts ?? {};
  return {
    responsibleId: ownSide === "sender" ? order.creator_id : null,
    contacts: {
      sender: ownSide === "sender" || isOpenToBoth ? sender : null,
      receiver: ownSide === "receiver" || isOpenToBoth ? receiver : null,
    },
  };
}

const eventsView = (timeline: NonNullable<ReadOrder["timeline"]>): OrderAnswer["events"] =>
  timeline.map(([id, at, action, from, to, who, side, text, revision, changed, code, faults]) => ({
    id,
    time: new Date(at).toISOString(),
    action,
    from,
    to,
    who: who ?? "",
    side,
    text,
    revision,
    ...(changed && { changed }),
    ...(code && { code }),
    ...(faults && { faults }),
  }));

// The empty prescription for a receiver who keeps only the line in its list.
const emptyPrescription = {
  items: [],
  implantSystem: null,
  fixType: null,
  torque: null,
  gingiva: null,
  antagonist: null,
  sourceOrder: null,
  jaws: [],
  instructions: null,
};

export const findMissingFields = (order: Order, files: { role: string }[]): string[] =>
  missingFor({ ...order.rx, ...pickColumns(order, "case_type", "due_date"), targetIid: order.receiver_id }, files);

export function mayChat(order: Pick<Order, "state" | "holder" | "completed_at">, now: Date): boolean {
  const { chat } = findRights(order);
  return (
    chat === "open" ||
    (chat === "forTime" && now.getTime() < Date.parse(order.completed_at ?? "") + rightsRules.chatDays * 86_400_000)
  );
}
