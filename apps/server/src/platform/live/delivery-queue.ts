import type { LiveEvent } from "@arcada/contract/notice/live-topics";
import type { Principal } from "../http/request-context.ts";

export interface Listener {
  principal: Principal;
  /** The client's position is behind this event once it has read it. */
  send(event: LiveEvent | "again", position: string): void;
}
/** A position together with its place in the order in which this process received the notifications. */
export interface Place {
  order: number;
  position: string;
}
export const findLater = (one: Place, other: Place): Place => (one.order > other.order ? one : other);

/** A listener, with the place up to which it has received everything that concerns it, as far as it was counted. */
export interface Recipient extends Listener {
  reached: Place;
}

interface Delivery {
  /** Events of the same key say the same to the same recipients. */
  key: string;
  findRecipients: () => Recipient[];
  event: LiveEvent | "again";
  /** The event before this one is the same, for other recipients: all of them did not fit into one notification. */
  isFurtherPart?: boolean;
  place: Place;
  /** The place of the event before this one. */
  before: Place;
}
interface WaitingDelivery extends Delivery {
  /** A client that subscribed later has received the event by replay, or began to read the data afterwards. */
  lastOrder: number;
}
interface DeliveryQueue {
  add(delivery: Delivery): void;
  addForAll(event: "again", places: Pick<Delivery, "place" | "before">): void;
  /** Returns the place before the first event that some recipients have not received yet; null without one. */
  placeBeforeFirst(): Place | null;
}

/** Events that may wait; beyond, everybody reads again, which takes less than the events that are late by then. */
const maxWaitingEvents = 1000;
/** The recipients who receive an event before other work of the process has its turn: about two milliseconds. */
const recipientsAtOnce = 100;
/**
 * After an event for more recipients, the next one waits for so many times as long as it took, but not for longer than the
 * longest rest, so that others have turns. An event for hundreds of organisations has parts, between which there is no
 * rest: its last reader waits for all of them.
 */
const restShare = 2;
const maxRestMs = 100;
/** If more events wait, there are no rests: late events cost more than others' turns. */
const maxRestedEvents = 8;

/** The first part may have been delivered with an equal event that waited before it. */
const isSameEvent = (one: LiveEvent | "again", other: LiveEvent | "again"): boolean =>
  one !== "again" && other !== "again" && one.topic === other.topic && one.id === other.id;

/**
 * Delivers events in their order. An event for thousands of streams is delivered in slices, and a second one rests, so
 * that the requests of other organisations are answered in between; one for few recipients is delivered at once. An event
 * that says the same as one that still waits is delivered with it. `findAll` returns all listeners.
 */
export function createDeliveryQueue(findAll: () => Recipient[]): DeliveryQueue {
  const pending: WaitingDelivery[] = [];
  const notBegun = new Map<string, WaitingDelivery>();
  let recipients: Iterator<Recipient> | null = null;
  /** The recipients of the event that is being delivered, and the time that it took so far. */
  let [sent, tookMs] = [0, 0];
  const begin = ({ key, findRecipients, lastOrder }: WaitingDelivery): Iterator<Recipient> => {
    notBegun.delete(key);
    // Found when the delivery begins, and at once: streams may open and close meanwhile.
    const found = findRecipients();
    return found.filter(({ reached }) => reached.order < lastOrder).values();
  };
  const sendSlice = (): void => {
    let began = performance.now();
    let restMs = 0;
    for (let left = recipientsAtOnce; left > 0 && pending.length > 0 && restMs === 0;) {
      const [delivery] = pending as [WaitingDelivery];
      recipients ??= begin(delivery);
      const { done, value } = recipients.next();
      if (done) {
        pending.shift();
        recipients = null;
        if (pending[0]?.isFurtherPart && isSameEvent(pending[0].event, delivery.event)) continue;
        if (sent > recipientsAtOnce && pending.length <= maxRestedEvents)
          restMs = Math.min(maxRestMs, restShare * (tookMs + performance.now() - began));
        [sent, tookMs, began] = [0, 0, performance.now()];
      } else {
        value.reached = findLater(value.reached, delivery.place);
        value.send(delivery.event, value.reached.position);
        sent++;
        left--;
      }
    }
    tookMs += performance.now() - began;
    if (restMs > 0) restTimer = setTimeout(continueAfterRest, restMs);
    else if (pending.length > 0) setImmediate(sendSlice);
  };
  let restTimer: NodeJS.Timeout | null = null;
  const continueAfterRest = (): void => {
    restTimer = null;
    if (pending.length > 0) sendSlice();
  };
  const push = (delivery: WaitingDelivery): void => {
    pending.push(delivery);
    notBegun.set(delivery.key, delivery);
    if (pending.length > maxWaitingEvents) {
      const { place } = delivery;
      const [, second] = pending as [unknown, WaitingDelivery];
      const merged = { key: "", findRecipients: findAll, event: "again" as const, place, lastOrder: place.order };
      pending.splice(1, pending.length, { ...merged, before: second.before });
      notBegun.clear();
    }
    if (pending.length === 1 && restTimer === null) sendSlice();
  };
  return {
    add: (delivery) => {
      const equal = notBegun.get(delivery.key);
      // Its place stays: the events between them are not delivered by then.
      if (equal) equal.lastOrder = delivery.place.order;
      else push({ ...delivery, lastOrder: delivery.place.order });
    },
    // A client that subscribed meanwhile is told as well.
    addForAll: (event, places) =>
      push({ key: "", findRecipients: findAll, event, ...places, lastOrder: Number.POSITIVE_INFINITY }),
    placeBeforeFirst: () => pending[0]?.before ?? null,
  };
}
