import { actionsFrom } from "@arcada/contract/kernel/cycle";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { managerRoles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderAction, OrderAsk, OrderParty, OrderState } from "@arcada/contract/order/order.cycle";
import type { Side } from "../tables/order.ts";
import { effects } from "./order.effects.ts";
import type { Change, Given, OrderFacts } from "./order.effect.ts";

export interface OrderAsker {
  uid: string;
  iid: string;
  role: Role;
}

/** The actions open to the asker now, in the order of the table. */
export const openActions = (order: OrderFacts, asker: OrderAsker, now: Date): OrderAction[] =>
  actionsFrom(orderCycle, order.state).filter((action) => whyNot(order, action, partiesOf(order, asker), now) === null);

/** Returns the reason why this action is closed to these parties, or null. */
export function whyNot(
  order: OrderFacts,
  action: OrderAction,
  parties: readonly OrderParty[],
  now: Date,
): RefusalName | null {
  const step = orderCycle.steps[action];
  if (!step.from.some((state) => state === order.state)) return "orderActionNotAllowed";
  if (!step.by.some((party) => parties.includes(party))) return "orderActionNotAllowed";
  return effects[action].closed?.(order, now) ?? null;
}

export const sideOf = (order: Pick<OrderFacts, "institution_id">, asker: Pick<OrderAsker, "iid">): Side =>
  order.institution_id === asker.iid ? "sender" : "receiver";

// Provisional decision: every lab member may accept or refuse, because a lab has no permission list yet.
const everyLabMemberAccepts = true;
const manages = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);

/** Returns the roles of the asker towards an order that reached their institution. */
export const partiesOf = (order: OrderFacts, asker: OrderAsker): OrderParty[] =>
  partiesBySide[sideOf(order, asker)](order, asker);
const partiesBySide: Record<Side, (order: OrderFacts, asker: OrderAsker) => OrderParty[]> = {
  sender: (order, { uid, role }) => [
    "senderMember",
    ...when(order.creator_id === uid, "creator"),
    ...when(order.made_by === uid, "drafter"),
    ...when(manages(role), "senderAdmin"),
  ],
  receiver: (order, { uid, role }) => [
    ...when(order.assignee_id === uid, "assignee"),
    ...when(manages(role), "receiverAdmin"),
    ...when(everyLabMemberAccepts || manages(role), "acceptor"),
  ],
};
const when = (holds: boolean, party: OrderParty): OrderParty[] => (holds ? [party] : []);

/**
 * Returns the refusal for input that the person who acts must give and did not. The newest revision is compared
 * elsewhere, where it is known.
 */
export function lacking(asks: readonly OrderAsk[], given: Given): RefusalName | null {
  const asked = (ask: OrderAsk): boolean => asks.includes(ask);
  if (asked("prescription") && given.rx === null) return "badInput";
  const said = given.text !== null || given.files > 0 || given.rx !== null;
  if (asked("decision") && given.approve === null) return "badInput";
  if (asked("decision") && asked("promise") && given.approve && given.promisedDate === null)
    return "orderPromiseMissing";
  if (asked("reason") && given.approve !== true && given.reason === null) return "orderReasonMissing";
  if (asked("modelFiles") && given.files === 0) return "orderFilesMissing";
  if (asked("shipment") && !given.handDelivery && (given.carrier === null || given.trackingNumber === null))
    return "orderShipmentMissing";
  if (asked("text") && asked("files") && !said) return "orderFilesMissing";
  if (asked("text") && asks.length === 1 && given.text === null) return "orderReasonMissing";
  return null;
}

export interface Decision extends Change {
  state: OrderState;
  turn: OrderFacts["turn"];
  turn_after: OrderFacts["turn"];
}

/**
 * Returns the order's columns after an action. While a question is open it is the sender's turn, whatever the
 * underlying turn is.
 */
export function decide(order: OrderFacts, action: OrderAction, given: Given): Decision {
  const change = effects[action].move(order, given);
  const state = change.state ?? order.state;
  if (!orderCycle.steps[action].to.some((to) => to === state)) throw new Error(`${action} must not lead to ${state}`);
  const turnAfter = change.turn ?? order.turn_after;
  const asked = change.info_request === undefined ? order.info_request : change.info_request;
  return { ...change, state, turn_after: turnAfter, turn: asked === null ? turnAfter : "sender" };
}
