import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Principal } from "../http/request-context.ts";
import { createDeliveryQueue, type Place, type Recipient } from "./delivery-queue.ts";

const principal = { uid: "", iid: null } as Principal;
const placeAt = (order: number): Place => ({ order, position: `${order}` });

/** A queue with so many open streams; what each received is kept as "event@position". */
function openQueue(streams: number) {
  const all: Recipient[] = [];
  const received: string[][] = [];
  const queue = createDeliveryQueue(() => [...all]);
  let order = 0;
  const open = (reached = placeAt(order)): string[] => {
    const own: string[] = [];
    received.push(own);
    all.push({ principal, reached, send: (event, at) => own.push(`${event === "again" ? event : event.id}@${at}`) });
    return own;
  };
  const publish = (id: string, isFurtherPart = false): void => {
    const before = placeAt(order);
    order += 1;
    const event = { topic: "study", id } as const;
    const key = isFurtherPart ? `${id} ${order}` : id;
    queue.add({ key, findRecipients: () => [...all], event, isFurtherPart, place: placeAt(order), before });
  };
  for (let stream = 0; stream < streams; stream++) open();
  return { queue, received, open, publish };
}

/** Rests last until `waitFor` lets time pass. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

it("an event that says the same as one that still waits is delivered with it, at its place", async () => {
  const { received, publish } = openQueue(150);
  for (const id of ["begun", "progress", "other", "progress", "progress"]) publish(id);
  await vi.waitFor(() => expect(received.every((one) => one.length === 3)).toBe(true));
  await nextTurn();
  expect(new Set(received.map((one) => one.join(" ")))).toEqual(new Set(["begun@1 progress@2 other@3"]));
});

it("an event that says the same as one whose delivery has begun is delivered again", async () => {
  const { received, publish } = openQueue(150);
  publish("progress");
  publish("progress");
  await vi.waitFor(() => expect(received.every((one) => one.length === 2)).toBe(true));
  expect(received[0]).toEqual(["progress@1", "progress@2"]);
});

it("a stream that opened between two equal events receives the second, and its position does not fall", async () => {
  const { open, publish } = openQueue(150);
  publish("begun");
  publish("progress");
  const late = open();
  publish("progress");
  await vi.waitFor(() => expect(late).toEqual(["progress@2"]));
});

it("a position stays before the first event that some have not received", async () => {
  const { queue, received, publish } = openQueue(150);
  publish("begun");
  publish("progress");
  publish("progress");
  expect(queue.placeBeforeFirst()).toEqual(placeAt(0));
  await vi.waitFor(() => expect(received.every((one) => one.length === 2)).toBe(true));
  expect(queue.placeBeforeFirst()).toBeNull();
});

it("after an event for many streams the next one leaves time to other work", async () => {
  stopTime();
  const { received, publish } = openQueue(150);
  publish("one");
  publish("two");
  await nextTurn();
  await nextTurn();
  // The second slice ended the first event.
  expect([received[0], received[149]]).toEqual([["one@1"], ["one@1"]]);
  await vi.waitFor(() => expect(received[149]).toEqual(["one@1", "two@2"]));
});

it("the parts of an event for many organisations are delivered without a pause", async () => {
  stopTime();
  const { received, publish } = openQueue(150);
  publish("one");
  publish("one", true);
  publish("two");
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(received[149]).toEqual(["one@1", "one@2"]);
  await vi.waitFor(() => expect(received[149]).toEqual(["one@1", "one@2", "two@3"]));
});

it("events do not rest while many wait", async () => {
  const { received, publish } = openQueue(150);
  for (let event = 0; event < 14; event++) publish(`${event}`);
  for (let turn = 0; turn < 30; turn++) await nextTurn();
  expect(received[149]?.length).toBeGreaterThan(4);
  await vi.waitFor(() => expect(received[149]?.length).toBe(14));
});
