import { rightsOf } from "@arcada/contract/order/order.rights";
import { talkCalls } from "@arcada/contract/order/talk.calls";
import type { OrderPin } from "@arcada/contract/order/talk.calls";
import { talkRules } from "@arcada/contract/order/talk.rules";
import type { Principal, MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { isMesh } from "./mesh-check.ts";
import { holdOrder, orderById } from "./order.store.ts";
import type { Order } from "./order.store.ts";
import { sideOf } from "./order.ts";
import { mayChat, viewOrder } from "./order.view.ts";
import { orderInTalk, tellBoth } from "./talk.messages.ts";
import { addAnswer, addPin, pinById, readPins, readRx, removePin, saveReading, settlePin } from "./talk.store.ts";
import type { NamedAnswer, NamedPin } from "./talk.store.ts";

export const talkRoutes = routes(talkCalls, {
  read: async (input, { db, asker }) => {
    const order = (await orderById(db, asker.iid, input.id)) ?? refuse("notFound");
    if (await saveReading(db, order, { uid: asker.uid, side: sideOf(order, asker) }, input.message))
      await tellBoth(db, order);
    return null;
  },

  pins: async (input, { db, asker, now }) => {
    const order = (await orderById(db, asker.iid, input.id)) ?? refuse("notFound");
    // The lab may have the page open at the moment at which it loses access to the order's content.
    if (!isOpenTo(order, asker)) return { list: [], mayWrite: false };
    const { pins, answers } = await readPins(db, order);
    const mayWrite = mayChat(order, now);
    const list = pins.map((pin) =>
      pinView(
        pin,
        answers.filter((answer) => answer.pin_id === pin.id),
        { asker, order, mayWrite },
      ),
    );
    return { list, mayWrite };
  },

  addPin: async (input, context) => {
    const { db, asker } = context;
    const order = await pinned(context, input.id);
    const file = await db
      .selectFrom("order_file")
      .select(["id", "sha256", "content"])
      .where("institution_id", "=", order.institution_id)
      .where("order_id", "=", order.id)
      .where("id", "=", input.file)
      .executeTakeFirst();
    if (!file || !isMesh(file.content)) return refuse("notFound");
    const who = { uid: asker.uid, side: sideOf(order, asker) };
    const made = await addPin(db, order, who, { ...input, surface: file.sha256 });
    if (made.number > talkRules.pinsMost) refuse("badInput", { text: "tooMany" });
    await tellBoth(db, order);
    return { id: made.id };
  },

  answerPin: async (input, context) => {
    const { db, asker } = context;
    const order = await pinned(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    await addAnswer(db, order, { uid: asker.uid, side: sideOf(order, asker) }, pin.id, input.text);
    await tellBoth(db, order);
    return null;
  },

  settlePin: async (input, context) => {
    const { db, asker } = context;
    const order = await pinned(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    await settlePin(db, order, pin.id, input.settled ? asker.uid : null);
    await tellBoth(db, order);
    return null;
  },

  removePin: async (input, context) => {
    const { db, asker } = context;
    const order = await pinned(context, input.id);
    const pin = (await pinById(db, order, input.pin)) ?? refuse("notFound");
    if (!(await removePin(db, order, pin.id, asker.uid)))
      refuse("orderActionNotAllowed", await viewOrder(context, order.id));
    await tellBoth(db, order);
    return null;
  },

  rx: async (input, { db, asker }) => {
    const order = await orderInFull(db, asker, input.id);
    // The receiver reads what was handed over to it; the rows themselves are in the sender's tenant scope.
    const rows = await bypassTenantScope(db, () => readRx(db, order));
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
async function orderInFull(db: MemberContext["db"], asker: Principal & { iid: string }, id: string): Promise<Order> {
  const order = (await orderById(db, asker.iid, id)) ?? refuse("notFound");
  return isOpenTo(order, asker) ? order : refuse("notFound");
}
const isOpenTo = (order: Order, asker: Principal & { iid: string }): boolean =>
  sideOf(order, asker) === "sender" || rightsOf(order).reads === "all";

/** Returns the order and locks it, if comments may be written on its models. */
async function pinned(context: MemberContext, id: string): Promise<Order> {
  const order = await orderInTalk(context, id);
  return (await bypassTenantScope(context.db, () => holdOrder(context.db, order))) ?? refuse("notFound");
}

function pinView(
  pin: NamedPin,
  answers: readonly NamedAnswer[],
  { asker, order, mayWrite }: { asker: Principal & { iid: string }; order: Order; mayWrite: boolean },
): OrderPin {
  const mine = sideOf(order, asker);
  const said = (row: NamedPin | NamedAnswer) => ({
    id: row.id,
    time: row.at,
    who: row.who ?? "",
    mine: row.side === mine,
    text: row.text,
  });
  return {
    ...said(pin),
    number: pin.number,
    fileId: pin.file_id,
    sha256: pin.surface,
    point: [pin.x, pin.y, pin.z],
    replies: answers.map(said),
    settled: pin.settled_at === null ? null : { who: pin.settler ?? "", time: pin.settled_at },
    mayRemove: mayWrite && pin.user_id === asker.uid && answers.length === 0,
  };
}
