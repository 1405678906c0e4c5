import { sql } from "kysely";
import type { Order as OrderAnswer, OrderRow } from "@arcada/contract/order/order.calls";
import { rightsOf, rightsRules } from "@arcada/contract/order/order.rights";
import { missingFor } from "@arcada/contract/order/order.rules";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { refuse } from "../platform/http/refuse.ts";
import { familyView, kinOf, proposalView } from "./order.family.view.ts";
import { filesView } from "./order.file-view.ts";
import { decidesOnSharing, labShares, mayShare } from "./order.takes.ts";
import { openActions, sideOf } from "./order.ts";
import type { OrderAsker } from "./order.ts";
import { readOrder, readPartsAnd, readWholeAnd } from "./order.read.ts";
import type { NamedOrder, OrderParts, ReadOrder } from "./order.read.ts";
import type { Order } from "./order.store.ts";

export interface Reader {
  db: Db;
  asker: OrderAsker;
  now: Date;
}

/** The order as this reader may see it, read afresh. */
export async function viewOrder(reader: Reader, id: string, again = 2): Promise<OrderAnswer> {
  const { db, asker } = reader;
  const order = (await readOrder(db, asker.iid, id)) ?? refuse("notFound");
  const { parts, also: kin } = await readPartsAnd(db, order, kinOf(asker.iid, order));
  const answer = await answerOf(reader, order, parts, kin);
  // Each query sees its own moment: a step in between would be in the timeline and not in the state.
  const isTorn = again > 0 && (await versionOf(db, order)) !== order.version;
  return isTorn ? viewOrder(reader, id, again - 1) : answer;
}

/** The same for a caller who has just changed the order and holds its lock: no step comes in between. */
export async function viewMoved(reader: Reader, moved: Order): Promise<OrderAnswer> {
  const { db, asker } = reader;
  const read = await readWholeAnd(db, asker.iid, moved, kinOf(asker.iid, moved));
  const { order, parts, also: kin } = read ?? refuse("notFound");
  return answerOf(reader, order, parts, kin);
}

async function answerOf(
  reader: Reader,
  order: ReadOrder,
  parts: OrderParts,
  kin: Parameters<typeof familyView>[2],
): Promise<OrderAnswer> {
  const { db, asker, now } = reader;
  const family = await familyView(reader, order, kin);
  const proposal = await proposalView(db, order, parts.files, asker, now);
  const seen = orderView(order, parts, asker, now);
  const actions = seen.actions.filter((action) => action !== "prepareForward" || family.mayForward);
  return { ...seen, actions, family, proposal };
}

async function versionOf(db: Db, { institution_id: iid, id }: Order): Promise<number | undefined> {
  const { rows } = await sql<Pick<Order, "version">>`${prepared} select version from orders
    where institution_id = ${iid} and id = ${id}`.execute(db);
  return rows[0]?.version;
}

export function rowView(order: NamedOrder, asker: Pick<OrderAsker, "iid">): OrderRow {
  const mine = sideOf(order, asker);
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    turn: order.turn,
    step: order.step,
    holder: order.holder,
    schemeRevision: order.scheme_revision,
    designRevision: order.design_revision,
    caseType: order.case_type,
    patientName: order.shown_name,
    patientNumber: order.shown_number,
    teeth: [...new Set(order.rx.items.flatMap((item) => item.teeth))],
    sender: { iid: order.institution_id, name: order.sender_name, number: order.sender_number },
    receiver: order.receiver_id
      ? { iid: order.receiver_id, name: order.receiver_name ?? "", number: order.receiver_number ?? "" }
      : null,
    creatorName: order.drafter,
    responsibleName: order.creator,
    assigneeName: order.assignee,
    dueDate: order.due_date,
    promisedDate: order.promised_date,
    createdAt: order.created_at,
    updatedAt: order.updated_at,
    mine,
    myTurn: order.turn === mine,
    unread: order.unread,
    version: order.version,
  };
}

function orderView(
  order: ReadOrder,
  parts: OrderParts,
  asker: OrderAsker,
  now: Date,
): Omit<OrderAnswer, "family" | "proposal"> {
  const mine = sideOf(order, asker);
  const whole = mine === "sender" || rightsOf(order).reads === "all";
  const { studies: _, ...rx } = whole ? order.rx : { ...order.rx, ...blank };
  return {
    ...rowView(order, asker),
    ...peopleView(order, mine),
    patientId: mine === "sender" ? order.patient_id : null,
    prescription: { ...rx, caseType: order.case_type, targetIid: order.receiver_id, dueDate: order.due_date },
    rxRevision: order.rx_revision,
    files: filesView(order, parts.files, mine, now),
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
    })),
    events: eventsView(parts.events, mine),
    messages: parts.messages.map((row) => ({
      id: row.id,
      time: row.at,
      who: row.who ?? "",
      mine: row.side === mine,
      text: row.text,
    })),
    readings: parts.readings.map((row) => ({
      who: row.who ?? "",
      mine: row.side === mine,
      self: row.user_id === asker.uid,
      upTo: row.up_to,
      at: row.at,
    })),
    shipment: order.dispatched_at
      ? {
          carrier: order.carrier,
          trackingNumber: order.tracking_number,
          handDelivery: order.hand_delivery,
          at: order.dispatched_at,
        }
      : null,
    infoRequest: order.info_request,
    cancelRequest: order.cancel_request,
    missing: order.state === "draft" ? missingIn(order, parts.files) : [],
    actions: openActions(order, asker, now),
    mayChat: mayChat(order, now),
    mayShare: mayShare(order, asker, now),
    labShares:
      mine === "sender" && order.parent_id === null && decidesOnSharing(order, asker) ? labShares(order) : null,
    nameHidden: order.name_masked,
  };
}

/** Each side sees its own people, and those of the other side while the order is open to both. */
function peopleView(order: ReadOrder, mine: "sender" | "receiver"): Pick<OrderAnswer, "responsibleId" | "contacts"> {
  const isOpenToBoth = order.handed_over_at !== null && rightsOf(order).reads === "all";
  const { sender = null, receiver = null } = order.contacts ?? {};
  return {
    responsibleId: mine === "sender" ? order.creator_id : null,
    contacts: {
      sender: mine === "sender" || isOpenToBoth ? sender : null,
      receiver: mine === "receiver" || isOpenToBoth ? receiver : null,
    },
  };
}

const eventsView = (events: OrderParts["events"], mine: "sender" | "receiver"): OrderAnswer["events"] =>
  events
    .filter((row) => mine === "sender" || !row.inner_only)
    .map((row) => ({
      id: row.id,
      time: row.at,
      action: row.action,
      from: row.from_state,
      to: row.to_state,
      who: row.who ?? "",
      side: row.side,
      text: row.text,
      revision: row.revision,
      ...(row.changed && { changed: row.changed }),
      ...(row.code && { code: row.code }),
      ...(row.faults && { faults: row.faults }),
    }));

// The empty prescription for a receiver who keeps only the line in its list.
const blank = {
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

export const missingIn = (order: Order, files: { role: string }[]): string[] =>
  missingFor({ ...order.rx, caseType: order.case_type, dueDate: order.due_date, targetIid: order.receiver_id }, files);

export function mayChat(order: Pick<Order, "state" | "holder" | "completed_at">, now: Date): boolean {
  const { chat } = rightsOf(order);
  return (
    chat === "open" ||
    (chat === "forTime" && now.getTime() < Date.parse(order.completed_at ?? "") + rightsRules.chatDays * 86_400_000)
  );
}
