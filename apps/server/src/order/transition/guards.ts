import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { managerRoles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction, OrderInput, OrderParty, OrderState } from "@arcada/contract/order/order.lifecycle";
import type { OrderSide } from "../../tables/order-columns.ts";
import { transitionTable } from "./transition-table.ts";
import type { OrderChange, ActionInput, OrderFacts } from "./transition-types.ts";

export interface OrderPrincipal {
  uid: string;
  iid: string;
  role: Role;
}

/** Returns the actions that are open to the principal now, in the order of the table. */
export const openActions = (order: OrderFacts, principal: OrderPrincipal, now: Date): OrderAction[] =>
  actionsFrom(orderLifecycle, order.state).filter(
    (action) => findRefusal(order, action, partiesOf(order, principal), now) === null,
  );

/** Returns the reason why this action is closed to these parties, or null. */
export function findRefusal(
  order: OrderFacts,
  action: OrderAction,
  parties: readonly OrderParty[],
  now: Date,
): RefusalName | null {
  const step = orderLifecycle.steps[action];
  if (!step.from.some((state) => state === order.state)) return "orderActionNotAllowed";
  if (!step.by.some((party) => parties.includes(party))) return "orderActionNotAllowed";
  return transitionTable[action].guard?.(order, now) ?? null;
}

export const sideOf = (order: Pick<OrderFacts, "institution_id">, principal: Pick<OrderPrincipal, "iid">): OrderSide =>
  order.institution_id === principal.iid ? "sender" : "receiver";

// Provisional decision: every lab member may accept or refuse, because a lab has no permission list yet.
const everyLabMemberAccepts = true;
const isManager = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);

/** Returns the roles of the principal towards an order that reached their institution. */
export const partiesOf = (order: OrderFacts, principal: OrderPrincipal): OrderParty[] =>
  partiesBySide[sideOf(order, principal)](order, principal);
const partiesBySide: Record<OrderSide, (order: OrderFacts, principal: OrderPrincipal) => OrderParty[]> = {
  sender: (order, { uid, role }) =>
    role === "clinicAssistant"
      ? ["senderMember", ...partyIf(order.made_by === uid, "assistant")]
      : [
          "senderMember",
          ...partyIf(order.creator_id === uid, "creator"),
          ...partyIf(order.made_by === uid, "drafter"),
          ...partyIf(isManager(role), "senderAdmin"),
        ],
  receiver: (order, { uid, role }) => [
    ...partyIf(order.assignee_id === uid, "assignee"),
    ...partyIf(isManager(role), "receiverAdmin"),
    ...partyIf(everyLabMemberAccepts || isManager(role), "acceptor"),
  ],
};
const partyIf = (holds: boolean, party: OrderParty): OrderParty[] => (holds ? [party] : []);

/**
 * Returns the refusal for input that the person who acts must give and did not. The newest revision is compared
 * elsewhere, where it is known.
 */
export function findMissingInput(required: readonly OrderInput[], actionInput: ActionInput): RefusalName | null {
  const isRequired = (ask: OrderInput): boolean => required.includes(ask);
  if (isRequired("prescription") && actionInput.rx === null) return "badInput";
  if (isRequired("assignee") && !isRequired("promise") && actionInput.assigneeId === null) return "badInput";
  const hasContent = actionInput.text !== null || actionInput.files > 0 || actionInput.rx !== null;
  if (isRequired("decision") && actionInput.approve === null) return "badInput";
  if (isRequired("decision") && isRequired("promise") && actionInput.approve && actionInput.promisedDate === null)
    return "orderPromiseMissing";
  if (isRequired("reason") && actionInput.approve !== true && actionInput.reason === null) return "orderReasonMissing";
  if (isRequired("modelFiles") && actionInput.files === 0) return "orderFilesMissing";
  if (
    isRequired("shipment") &&
    !actionInput.handDelivery &&
    (actionInput.carrier === null || actionInput.trackingNumber === null)
  )
    return "orderShipmentMissing";
  if (isRequired("text") && isRequired("files") && !hasContent) return "orderFilesMissing";
  if (isRequired("text") && required.length === 1 && actionInput.text === null) return "orderReasonMissing";
  return null;
}

export interface Decision extends OrderChange {
  state: OrderState;
  turn: OrderFacts["turn"];
  turn_after: OrderFacts["turn"];
}

/**
 * Returns the order's columns after an action. While a question is open it is the sender's turn, whatever the
 * underlying turn is.
 */
export function decideTransition(order: OrderFacts, action: OrderAction, actionInput: ActionInput): Decision {
  const change = transitionTable[action].apply(order, actionInput);
  const state = change.state ?? order.state;
  if (!orderLifecycle.steps[action].to.some((to) => to === state))
    throw new Error(`${action} must not lead to ${state}`);
  const turnAfter = change.turn ?? order.turn_after;
  const asked = change.info_request === undefined ? order.info_request : change.info_request;
  return { ...change, state, turn_after: turnAfter, turn: asked === null ? turnAfter : "sender" };
}
