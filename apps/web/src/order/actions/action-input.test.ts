import { describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { findProblems, getInitialInput, buildTransitionInput } from "./action-input.ts";

const today = "2030-05-01";
const revision = (kind: "scheme" | "design", number: number) => ({ kind, number, hash: `${kind}${number}` });
const order = {
  id: "01a1fdbd-d0d6-7744-9872-3224d0315e45",
  version: 4,
  dueDate: "2030-05-10",
  shipment: { carrier: "SF", trackingNumber: "123", handDelivery: false },
  revisions: [revision("design", 2), revision("design", 1), revision("scheme", 1)],
} as unknown as Order;
const typed = (action: Parameters<typeof getInitialInput>[1], change = {}) => ({
  ...getInitialInput(order, action, "me"),
  ...change,
});
const stl = { upload: "01a1fdbd-d0d6-7744-9872-3224d0315e46", role: "design" as const, name: "crown.STL" };

describe("the input that an action requires", () => {
  it("is a reason for a return and for a declined cancellation only", () => {
    expect(findProblems("returnDesign", typed("returnDesign", { reason: " " }), today)).toEqual({
      reason: "reasonNeeded",
    });
    expect(findProblems("decideCancel", typed("decideCancel", { approve: true }), today)).toEqual({});
    expect(findProblems("decideCancel", typed("decideCancel", { approve: false }), today)).toHaveProperty("reason");
    expect(findProblems("decideCancel", typed("decideCancel"), today)).toHaveProperty("approve");
  });

  it("is a model for a design, and text or files for a scheme", () => {
    const pdf = { ...stl, name: "plan.pdf" };
    expect(findProblems("submitDesign", typed("submitDesign", { files: [pdf] }), today)).toHaveProperty("files");
    expect(findProblems("submitDesign", typed("submitDesign", { files: [stl] }), today)).toEqual({});
    expect(findProblems("submitScheme", typed("submitScheme"), today)).toHaveProperty("text");
    expect(findProblems("submitScheme", typed("submitScheme", { files: [pdf] }), today)).toEqual({});
    expect(findProblems("redeliver", typed("redeliver", { reason: "chipped" }), today)).toEqual({});
  });

  it("is a carrier and a tracking number, or delivery by hand", () => {
    expect(findProblems("dispatch", typed("dispatch", { carrier: "SF" }), today)).toHaveProperty("carrier");
    expect(findProblems("dispatch", typed("dispatch", { handDelivery: true }), today)).toEqual({});
  });

  it("is a reason code to refuse or cancel an order, and no date to decline a change", () => {
    const said = { reason: "no time" };
    expect(findProblems("refuse", typed("refuse", said), today)).toEqual({ reasonCode: "reasonNeeded" });
    expect(findProblems("cancel", typed("cancel", { ...said, reasonCode: "duplicate" }), today)).toEqual({});
    expect(buildTransitionInput(order, "cancel", typed("cancel", { ...said, reasonCode: "duplicate" }))).toMatchObject({
      reasonCode: "duplicate",
    });
    const declined = typed("decideChange", { ...said, approve: false, promisedDate: "" });
    expect(findProblems("decideChange", declined, today)).toEqual({});
    expect(findProblems("decideChange", { ...declined, approve: true }, today)).toEqual({ promisedDate: "dateNeeded" });
  });

  it("is a promised date that is not in the past", () => {
    expect(findProblems("accept", typed("accept"), today)).toEqual({});
    expect(findProblems("accept", typed("accept", { promisedDate: "2030-04-30" }), today)).toEqual({
      promisedDate: "dateInPast",
    });
  });
});

describe("the input sent to the server", () => {
  it("names the revision that was the newest of its kind when the dialog opened", () => {
    const newer = { ...order, version: 5, revisions: [...order.revisions, revision("design", 3)] } as unknown as Order;
    expect(buildTransitionInput(newer, "confirmDesign", typed("confirmDesign"))).toMatchObject({
      version: 5,
      revisionHash: "design2",
    });
    expect(buildTransitionInput(order, "confirmDesign", typed("confirmDesign"))).toEqual({
      id: order.id,
      version: 4,
      action: "confirmDesign",
      revisionHash: "design2",
    });
    expect(buildTransitionInput(order, "confirmScheme", typed("confirmScheme"))).toMatchObject({
      revisionHash: "scheme1",
    });
  });

  it("contains only the fields of the action and matches the call's schema", () => {
    const all = typed("submitDesign", { reason: "no", text: " see ", files: [stl], carrier: "SF", approve: true });
    const input = buildTransitionInput(order, "submitDesign", all);
    expect(input).toEqual({
      id: order.id,
      version: 4,
      action: "submitDesign",
      text: "see",
      files: [{ upload: stl.upload, role: "design" }],
    });
    expect(orderCalls.step.input.safeParse(input).success).toBe(true);
  });

  it("starts a correction with the known shipment", () => {
    expect(buildTransitionInput(order, "correctShipment", typed("correctShipment"))).toMatchObject({
      carrier: "SF",
      trackingNumber: "123",
    });
  });
});
