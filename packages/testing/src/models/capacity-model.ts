import { refusals, successCode } from "@arcada/contract/kernel/refusals";

/** Capacity as the written table sees it (lifecycles.md 5); nothing here is taken from the server's own tables. Times in days. */
export interface CapacityModel {
  now: number;
  cards: { state: "issued" | "in_effect" | "expired" | "void"; owner: number | null; endsAt: number }[];
  subscriptions: Subscription[];
  /** By clinic: true if a subscription was requested and is not paid yet. */
  isRequested: boolean[];
}
interface Subscription {
  owner: number;
  state: "in_effect" | "unsubscribed" | "expired";
  endsAt: number;
  /** A renewal waits for its payment. */
  isPaymentPending: boolean;
  /** The time of the newest renewal request that was not withdrawn. */
  requestedAt: number;
}
export const cardDays = 40;
const termDays = 30;
const renewalDays = 14;
export const newCapacityModel = (cards: number): CapacityModel => ({
  now: 0,
  cards: Array.from({ length: cards }, () => ({ state: "issued", owner: null, endsAt: 0 })),
  subscriptions: [],
  isRequested: [false, false],
});

export type Command =
  | { do: "activate" | "void"; at: number; clinic: number }
  | { do: "subscribe"; clinic: number }
  | { do: "decide"; clinic: number; paid: boolean }
  | { do: "unsubscribe" | "resubscribe" | "renewLate"; at: number }
  | { do: "pay"; at: number; paid: boolean }
  | { do: "wait"; days: number };

const { capacityActionNotAllowed, capacityAsked, capacityCardUsed, capacityCardVoid } = refusals;
const refused = capacityActionNotAllowed.code;

/** Returns the code with which the server must answer, and updates the model. */
export function expectedCode(model: CapacityModel, command: Command): number {
  const code = applyCommand(model, command);
  expirePeriods(model);
  return code;
}

function applyCommand(model: CapacityModel, command: Command): number {
  if (command.do === "wait") {
    model.now += command.days;
    return successCode;
  }
  if (command.do === "subscribe") {
    if (model.isRequested[command.clinic]) return capacityAsked.code;
    model.isRequested[command.clinic] = true;
    return successCode;
  }
  if (command.do === "decide") return decide(model, command);
  if ("clinic" in command) return card(model, command);
  return subscription(model, command);
}

function decide(model: CapacityModel, { clinic, paid }: { clinic: number; paid: boolean }): number {
  if (!model.isRequested[clinic]) return refused;
  model.isRequested[clinic] = false;
  const endsAt = model.now + termDays;
  if (paid)
    model.subscriptions.push({
      owner: clinic,
      state: "in_effect",
      endsAt,
      isPaymentPending: false,
      requestedAt: -1000,
    });
  return successCode;
}

function card(model: CapacityModel, { do: action, at, clinic }: Extract<Command, { do: "activate" | "void" }>): number {
  const one = model.cards[at];
  if (action === "void") {
    if (one.state !== "issued") return refused;
    one.state = "void";
    return successCode;
  }
  if (one.state === "void") return capacityCardVoid.code;
  if (one.state !== "issued") return capacityCardUsed.code;
  Object.assign(one, { state: "in_effect", owner: clinic, endsAt: model.now + cardDays });
  return successCode;
}

function subscription(
  model: CapacityModel,
  command: Extract<Command, { do: "unsubscribe" | "resubscribe" | "renewLate" | "pay" }>,
): number {
  const one = model.subscriptions[command.at];
  if (command.do === "pay") return pay(model, one, command.paid);
  const from = { unsubscribe: "in_effect", resubscribe: "unsubscribed", renewLate: "expired" } as const;
  if (one.state !== from[command.do]) return refused;
  if (command.do === "renewLate") {
    if (one.isPaymentPending) return capacityAsked.code;
    Object.assign(one, { isPaymentPending: true, requestedAt: model.now } satisfies Partial<Subscription>);
  } else if (command.do === "unsubscribe")
    Object.assign(one, {
      state: "unsubscribed",
      requestedAt: one.isPaymentPending ? -1000 : one.requestedAt,
      isPaymentPending: false,
    });
  else one.state = "in_effect";
  return successCode;
}

function pay(model: CapacityModel, one: Subscription, paid: boolean): number {
  if (!one.isPaymentPending) return refused;
  one.isPaymentPending = false;
  if (!paid) return successCode;
  if (one.state === "expired") Object.assign(one, { state: "in_effect", endsAt: model.now + termDays });
  else one.endsAt += termDays;
  return successCode;
}

/** Applies the effects of elapsed time. */
function expirePeriods({ now, cards, subscriptions }: CapacityModel): void {
  for (const one of cards) if (one.state === "in_effect" && one.endsAt <= now) one.state = "expired";
  for (const one of subscriptions) {
    if (one.state === "expired") continue;
    if (one.endsAt <= now) one.state = "expired";
    else if (
      one.state === "in_effect" &&
      one.endsAt - now <= renewalDays &&
      !one.isPaymentPending &&
      one.requestedAt <= one.endsAt - renewalDays
    )
      Object.assign(one, { isPaymentPending: true, requestedAt: now } satisfies Partial<Subscription>);
  }
}
