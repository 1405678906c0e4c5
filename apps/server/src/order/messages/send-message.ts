import type { Parsed } from "@arcada/contract/kernel/call";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import { messageRules } from "@arcada/contract/order/messages.rules";
import type { MemberContext } from "../../platform/http/request-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish, notifyClients } from "../../platform/events/events.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { attachUploads } from "../files/attach-uploads.ts";
import { addFiles, addMessage, findVisibleOrder } from "../core/order.store.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { sideOf } from "../transition/guards.ts";
import { mayChat, viewOrder } from "../core/order.view.ts";
import { listOrderPeople } from "./order-people.ts";
import { saveReadPosition } from "./messages.store.ts";
import { orderMessageSent } from "../order.events.ts";

/** Sends a message to the other side; its attachments become files of the order. */
export async function sendMessage(context: MemberContext, input: Parsed<typeof orderCalls.message>) {
  const { db, principal } = context;
  const order = await findOrderForMessages(context, input.id);
  const side = sideOf(order, principal);
  const mentioned = await findMentioned(db, order, principal.iid, input.mentions);
  const id = newId();
  const attachments = input.files.map((upload) => ({ upload, role: "document" as const }));
  const newFiles = await attachUploads(context, attachments, { side, revisionId: null });
  for (const { bytes, name } of newFiles)
    if (bytes > messageRules.fileMegabytes * 1e6) refuse("messageFileTooLarge", { name });
  const files = newFiles.map((file): NewFile => ({ ...file, id: newId(), role: "message", message_id: id }));
  const message = await addMessage(db, order, {
    id,
    user_id: principal.uid,
    side,
    text: input.text,
    mentions: mentioned.map((person) => person.id),
  });
  await addFiles(db, order, files);
  // A person who answers has read the messages above.
  await saveReadPosition(db, order, { uid: principal.uid, side }, id);
  await notifyBothSides(db, order);
  await publish(db, orderMessageSent, {
    orderId: order.id,
    number: order.number,
    messageId: id,
    by: principal.uid,
    author: principal.name,
    mentions: mentioned.map((person) => person.id),
    side,
    sender: order.institution_id,
    receiver: order.receiver_id,
  });
  const mentions = mentioned.map(({ name }) => name);
  return { id: message.id, time: message.at, who: principal.name, mine: true, text: message.text, mentions };
}

/** Refuses to call somebody who cannot see the order: their notice would tell them of it. */
async function findMentioned(db: Db, order: Order, iid: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const people = new Map((await listOrderPeople(db, order, iid)).map((person) => [person.id, person]));
  return [...new Set(ids)].map((id) => people.get(id) ?? refuse("badInput", { mentions: "invalid" }));
}

/** The order, while both sides may write to each other about it. */
export async function findOrderForMessages(context: MemberContext, id: string): Promise<Order> {
  const order = (await findVisibleOrder(context.db, context.principal.iid, id)) ?? refuse("notFound");
  if (!mayChat(order, context.now)) refuse("orderActionNotAllowed", await viewOrder(context, order.id));
  return order;
}

/** Open tabs on both sides. */
export const notifyBothSides = (db: Db, order: Order): Promise<void> =>
  notifyClients(db, { institutions: [order.institution_id, order.receiver_id] }, "order", order.id);
