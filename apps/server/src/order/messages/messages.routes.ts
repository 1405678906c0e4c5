import { findRights } from "@arcada/contract/order/receiver-rights";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import type { OrderPin } from "@arcada/contract/order/message-reading-and-pins.calls";
import { messageRules } from "@arcada/contract/order/messages.rules";
import type { Principal, MemberContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { isMesh } from "../files/mesh-check.ts";
import { addRevisionOpening, lockOrder, findVisibleOrder } from "../core/order.store.ts";
import type { Order } from "../core/order.store.ts";
import { sideOf } from "../transition/guards.ts";
import { mayChat, viewOrder } from "../core/order.view.ts";
import { listOrderPeople } from "./order-people.ts";
import { findOrderForMessages, notifyBothSides } from "./send-message.ts";
import {
  addReply,
  addPin,
  pinById,
  readPins,
  readPrescriptionVersions,
  removePin,
  saveReadPosition,
  settlePin,
} from "./messages.store.ts";
import type { NamedReply, NamedPin } from "./messages.store.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

export const messageRoutes = routes(messageCalls, {
  people: async ({ id }, { db, principal }) => {
    const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
    const people = await listOrderPeople(db, order, principal.iid);
    return people.filter((person) => person.id !== principal.uid);
  },

  read: async (input, { db, principal }) => {
    const order = (await findVisibleOrder(db, principal.iid, input.id)) ?? refuse("notFound");
    if (await saveReadPosition(db, order, { uid: principal.uid, side: sideOf(order, principal) }, input.message))
      await notifyBothSides(db, order);
    return null;
  },

  openRevision: async (input, { db, principal }) => {
    const order = await findReadableOrder(db, principal, input.id);
    await addRevisionOpening(db, order, input.revision, principal.uid);
    return null;
  },

  pins: async (input, { db, principal, now }) => {
    const order = (await findVisibleOrder(db, principal.iid, input.id)) ?? refuse("notFound");
    // The lab may have the page open at the moment at which it loses access to the order's content.
    if (!canReadContent(order, principal)) return { list: [], mayWrite: false };
    const { pins, answers } = await readPins(db, order);
    const mayWrite = mayChat(order, now);
    const list = pins.map((pin) =>
      pinView(
        pin,
        answers.filter((answer) => answer.pin_id === pin.id),
        { principal, order, mayWrite },
      ),
    );
    return { list, mayWrite };
  },

  addPin: async (input, context) => {
    const { db, principal } = context;
    const order = await lockOrderForPins(context, input.id);
    const file = await db
      .selectFrom("order_file")
      .select(["id", "sha256", "content"])
      .where("institution_id", "=", order.institution_id)
      .where("order_id", "=", order.id)
      .where("id", "=", input.file)
      .executeTakeFirst();
    if (!file || !isMesh(file.content)) return refuse("notFound");
    const who = { uid: principal.uid, side: sideOf(order, principal) };
    const made = await addPin(db, order, who, { ...input, surface: file.sha256 });
    if (made.number > messageRules.maxPins) refuse("badInput", { text: "tooMany" });
    await notifyBothSides(db, order);
    return { id: made.id };
  },

  answerPin: async (input, context) => {
    const { db, principal } = context;
    const order = await lockOrderForPins(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    await addReply(db, order, { uid: principal.uid, side: sideOf(order, principal) }, pin.id, input.text);
    await notifyBothSides(db, order);
    return null;
  },

  settlePin: async (input, context) => {
    const { db, principal } = context;
    const order = await lockOrderForPins(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    await settlePin(db, order, pin.id, input.settled ? principal.uid : null);
    await notifyBothSides(db, order);
    return null;
  },

  removePin: async (input, context) => {
    const { db, principal } = context;
    const order = await lockOrderForPins(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    if (!(await removePin(db, order, pin.id, principal.uid)))
      refuse("orderActionNotAllowed", await viewOrder(context, order.id));
    await notifyBothSides(db, order);
    return null;
  },

  rx: async (input, { db, principal }) => {
    const order = await findReadableOrder(db, principal, input.id);
    // The receiver reads the prescription that was handed over; the rows themselves are in the sender's tenant scope.
    const rows = await bypassTenantScope(db, () => readPrescriptionVersions(db, order));
    return {
      list: rows.map(({ revision, at, rx, case_type: caseType, due_date: dueDate }) => ({
        revision,
        time: at,
        prescription: { ...rx, ...(caseType && { caseType, dueDate }) },
      })),
    };
  },
});

/**
 * Returns the order for a reader who may see its content; of a refused or cancelled order the receiver sees only the
 * head.
 */
async function findReadableOrder(
  db: MemberContext["db"],
  principal: Principal & { iid: string },
  id: string,
): Promise<Order> {
  const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
  return canReadContent(order, principal) ? order : refuse("notFound");
}
const canReadContent = (order: Order, principal: Principal & { iid: string }): boolean =>
  sideOf(order, principal) === "sender" || findRights(order).reads === "all";

/** Returns the order and locks it, if comments may be written on its models. */
async function lockOrderForPins(context: MemberContext, id: string): Promise<Order> {
  const order = await findOrderForMessages(context, id);
  return (await bypassTenantScope(context.db, () => lockOrder(context.db, order))) ?? refuse("notFound");
}

function pinView(
  pin: NamedPin,
  answers: readonly NamedReply[],
  { principal, order, mayWrite }: { principal: Principal & { iid: string }; order: Order; mayWrite: boolean },
): OrderPin {
  const mine = sideOf(order, principal);
  const toMessageView = (row: NamedPin | NamedReply) => ({
    id: row.id,
    time: row.at,
    who: row.who ?? "",
    mine: row.side === mine,
    text: row.text,
  });
  return {
    ...toMessageView(pin),
    ...pickColumns(pin, "number", "file_id"),
    sha256: pin.surface,
    point: [pin.x, pin.y, pin.z],
    replies: answers.map(toMessageView),
    settled: pin.settled_at === null ? null : { who: pin.settler ?? "", time: pin.settled_at },
    mayRemove: mayWrite && pin.user_id === principal.uid && answers.length === 0,
  };
}
