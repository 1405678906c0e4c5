import { expect, it } from "vitest";
import { describeNextStep, isReadersStep } from "./next-step-text.ts";

type StepOrder = Parameters<typeof describeNextStep>[1];
const order = (change: Partial<StepOrder>): StepOrder => ({
  state: "draft",
  step: "preparing",
  holder: "sender",
  turn: "nobody",
  schemeRevision: 0,
  designRevision: 0,
  myTurn: false,
  mine: "sender",
  sender: { iid: "1", name: "Lab", number: "1" },
  receiver: { iid: "2", name: "Other lab", number: "2" },
  family: { child: null },
  ...change,
});
const key = (change: Partial<StepOrder>) => describeNextStep((name) => name, order(change));

it("addresses the side that writes a draft instead of letting it wait for itself", () => {
  expect(key({})).toBe("orderDetail.expected.you.send");
  expect(isReadersStep(order({ mine: "receiver" }))).toBe(false);
});

it("says to both sides that the laboratory is forwarding an order", () => {
  const forwarding = { state: "awaiting_sending", holder: "receiver" } as const;
  expect(key({ ...forwarding, mine: "receiver" })).toBe("orderDetail.expected.you.passOn");
  expect(key({ ...forwarding, mine: "sender" })).toBe("orderDetail.expected.they.passOn");
});
