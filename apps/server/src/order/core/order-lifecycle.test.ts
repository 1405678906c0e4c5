import { describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import {
  crownOrderInput,
  latestRevisionHash,
  sendOrder,
  smallScanStl,
  takeStep,
} from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const step = (who: TestUser, order: Order, action: string, given: Record<string, unknown> = {}) =>
  who.ask("order.step", { id: order.id, version: order.version, action, ...given });
const actionsOf = (order: Order) => order.events.map((event) => event.action);

describe("from the clinic to the lab and back", () => {
  it("carries a crown from the draft to its receipt, with each turn on the right side", async () => {
    const env = await setup();
    const { dentist, clinic, lab, designer } = env;
    const draft = await dentist.call("order.save", crownOrderInput(await createPatient(clinic), lab.iid));
    expect(draft).toMatchObject({ state: "draft", turn: "nobody", missing: [], actions: ["edit", "delete", "submit"] });
    expect(refusalOf(await designer.ask("order.detail", { id: draft.id }))).toBe("notFound");

    const sent = await takeStep(dentist, draft, "submit");
    expect(sent).toMatchObject({ state: "pending", turn: "receiver", myTurn: false, actions: ["cancel"] });
    expect(actionsOf(sent)).toEqual(["create", "submit", "handOver"]);

    const arrived = await designer.call("order.detail", { id: sent.id });
    expect(arrived).toMatchObject({
      mine: "receiver",
      myTurn: true,
      patientId: null,
      patientName: "王小明",
      actions: ["accept", "refuse"],
    });
    expect(actionsOf(arrived)).toEqual(["handOver"]);

    const accepted = await takeStep(designer, arrived, "accept");
    expect(accepted).toMatchObject({
      state: "awaiting_design",
      assigneeName: designer.name,
      promisedDate: "2030-01-01",
    });

    const upload = await designer.upload("crown.stl", smallScanStl());
    const designed = await takeStep(designer, accepted, "submitDesign", {
      files: [{ upload, role: "design" }],
      text: "please look",
    });
    expect(designed).toMatchObject({
      step: "submitted",
      turn: "sender",
      designRevision: 1,
      actions: expect.arrayContaining(["withdraw"]),
    });
    expect(designed.files).toMatchObject([{ role: "design", name: "crown.stl", revisionId: designed.revisions[0].id }]);

    await expect
      .poll(async () => (await dentist.call("order.detail", { id: designed.id })).files[0].glb?.error, {
        timeout: 10_000,
      })
      .toBeLessThan(0.005);

    const confirmed = await takeStep(dentist, designed, "confirmDesign", {
      revisionHash: latestRevisionHash(designed),
    });
    expect(confirmed).toMatchObject({
      state: "awaiting_dispatch",
      step: "production",
      revisions: [{ state: "confirmed" }],
    });
    const gone = await takeStep(designer, confirmed, "dispatch", { carrier: "SF", trackingNumber: "1234" });
    expect(gone).toMatchObject({
      state: "awaiting_receipt",
      turn: "sender",
      shipment: { carrier: "SF", trackingNumber: "1234" },
    });
    const done = await takeStep(dentist, gone, "confirmReceipt");
    expect(done).toMatchObject({ state: "completed", turn: "nobody", actions: [] });
    expect(actionsOf(done)).toEqual([
      "create",
      "submit",
      "handOver",
      "accept",
      "submitDesign",
      "confirmDesign",
      "dispatch",
      "confirmReceipt",
    ]);
  });

  it("plans, returns, corrects and voids: each revision keeps what became of it", async () => {
    const env = await setup();
    const { dentist, designer } = env;
    let order = await sendOrder(env, { schemeRequired: true });
    order = await takeStep(designer, order, "accept");
    order = await takeStep(designer, order, "submitScheme", { text: "first" });
    order = await takeStep(designer, order, "withdraw");
    order = await takeStep(designer, order, "submitScheme", { text: "second" });
    const stale = await step(dentist, order, "confirmScheme", { revisionHash: order.revisions[0].hash });
    expect(refusalOf(stale)).toBe("orderRevisionStale");
    order = await takeStep(dentist, order, "returnScheme", { reason: "not like this" });
    order = await takeStep(designer, order, "submitScheme", { text: "third" });
    order = await takeStep(dentist, order, "confirmScheme", { revisionHash: latestRevisionHash(order) });
    const file = async (size: number) => [
      { upload: await designer.upload(`v${size}.stl`, smallScanStl(size)), role: "design" as const },
    ];
    order = await takeStep(designer, order, "submitDesign", { files: await file(1) });
    order = await takeStep(dentist, order, "backToScheme", { reason: "other tooth" });
    expect(order).toMatchObject({ state: "awaiting_scheme", step: "returned", turn: "receiver" });
    expect(order.revisions.map((row) => `${row.kind} ${row.number} ${row.state}`)).toEqual([
      "scheme 1 withdrawn",
      "scheme 2 returned",
      "scheme 3 voided",
      "design 1 voided",
    ]);
    order = await takeStep(designer, order, "submitScheme", { text: "fourth" });
    order = await takeStep(dentist, order, "confirmScheme", { revisionHash: latestRevisionHash(order) });
    order = await takeStep(designer, order, "submitDesign", { files: await file(2) });
    order = await takeStep(dentist, order, "confirmDesign", { revisionHash: latestRevisionHash(order) });
    order = await takeStep(designer, order, "backToDesign", { reason: "broke in milling" });
    expect(order).toMatchObject({ state: "awaiting_design", step: "preparing", designRevision: 2 });
    expect(order.revisions.at(-1)).toMatchObject({ kind: "design", number: 2, state: "voided" });
  });

  it("ends design work at its confirmation, and sends a faulty crown round again", async () => {
    const env = await setup();
    const { dentist, designer } = env;
    let digital = await takeStep(designer, await sendOrder(env, { workKinds: ["design"] }), "accept");
    digital = await takeStep(designer, digital, "submitDesign", {
      files: [{ upload: await designer.upload("a.stl", smallScanStl()), role: "design" }],
    });
    const seen = await dentist.call("order.detail", { id: digital.id });
    expect(seen.actions).toEqual(["confirmDelivery", "returnDesign", "requestCancel", "proposeChange"]);
    expect(
      await takeStep(dentist, digital, "confirmDelivery", { revisionHash: latestRevisionHash(digital) }),
    ).toMatchObject({
      state: "completed",
    });

    let made = await takeStep(designer, await sendOrder(env, { workKinds: ["machining"] }), "accept");
    expect(made.state).toBe("awaiting_dispatch");
    made = await takeStep(designer, made, "dispatch", { handDelivery: true });
    made = await takeStep(dentist, made, "redeliver", { reason: "does not fit" });
    expect(made).toMatchObject({ state: "awaiting_dispatch", turn: "receiver", shipment: null });
    made = await takeStep(designer, made, "dispatch", { carrier: "SF", trackingNumber: "1" });
    made = await takeStep(designer, made, "correctShipment", { carrier: "SF", trackingNumber: "2" });
    expect(made.shipment).toMatchObject({ trackingNumber: "2" });
    expect(await takeStep(designer, made, "recallDispatch")).toMatchObject({
      state: "awaiting_dispatch",
      shipment: null,
    });
  });

  it("accepts a question to the sender, whose answer may change a prescription that nobody has accepted", async () => {
    const env = await setup();
    const { dentist, lab } = env;
    const order = await takeStep(lab, await sendOrder(env), "requestInfo", { text: "Which shade?" });
    expect(order).toMatchObject({ infoRequest: "Which shade?", turn: "sender", state: "pending" });
    expect(refusalOf(await step(lab, order, "requestInfo", { text: "?" }))).toBe("orderRequestOpen");
    const { targetIid: _, maskName: __, ...rx } = order.prescription;
    const items = [{ ...rx.items[0], shade: "B1" as const }];
    expect(
      refusalOf(await step(dentist, order, "supplyInfo", { text: "B1", prescription: { ...rx, items: [] } })),
    ).toBe("orderIncomplete");
    const upload = await dentist.upload("upper.stl", smallScanStl());
    const answered = await takeStep(dentist, order, "supplyInfo", {
      text: "B1",
      prescription: { ...rx, items },
      files: [{ upload, role: "upperScan" }],
    });
    expect(answered).toMatchObject({
      infoRequest: null,
      turn: "receiver",
      rxRevision: 2,
      prescription: { items: [{ shade: "B1" }] },
    });
    expect(answered.events.at(-1)).toMatchObject({ action: "supplyInfo", revision: 2, changed: ["items"], text: "B1" });
    expect(answered.files).toMatchObject([{ role: "upperScan" }]);
  });

  it("cancels alone before acceptance, and after it only with the lab", async () => {
    const env = await setup();
    const { dentist, lab, designer } = env;
    expect(await takeStep(dentist, await sendOrder(env), "cancel", { reason: "moved away" })).toMatchObject({
      state: "cancelled",
    });
    let order = await takeStep(designer, await sendOrder(env), "accept");
    expect(refusalOf(await step(dentist, order, "cancel", { reason: "late" }))).toBe("orderActionNotAllowed");
    order = await takeStep(dentist, order, "requestCancel", { reason: "moved away" });
    expect(refusalOf(await step(designer, order, "decideCancel", { approve: true }))).toBe("orderActionNotAllowed");
    order = await takeStep(lab, order, "decideCancel", { approve: false, reason: "nearly done" });
    expect(order).toMatchObject({ cancelRequest: null, state: "awaiting_design" });
    order = await takeStep(dentist, order, "requestCancel", { reason: "really" });
    expect(await takeStep(lab, order, "decideCancel", { approve: true })).toMatchObject({
      state: "cancelled",
      prescription: { items: [] },
      files: [],
    });
  });

  it("leaves a lab its own designs of a cancelled order, and none of the clinic's files", async () => {
    const env = await setup();
    const { dentist, designer, lab } = env;
    const upload = await dentist.upload("upper.stl", smallScanStl(4));
    const accepted = await takeStep(
      designer,
      await sendOrder(env, { uploads: [{ upload, role: "upperScan" }], noDigitalFiles: false }),
      "accept",
    );
    const files = [{ upload: await designer.upload("crown.stl", smallScanStl(3)), role: "design" as const }];
    await takeStep(designer, accepted, "submitDesign", { files });
    const ended = await takeStep(lab, await lab.call("order.detail", { id: accepted.id }), "cancelByReceiver", {
      reason: "broken mill",
    });
    expect(ended).toMatchObject({ state: "cancelled", files: [{ role: "design", name: "crown.stl" }] });
    const answer = await fetch(env.server.address + present(ended.files[0].url, "url"), {
      headers: { token: designer.token },
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(smallScanStl(3));
  });

  it("leaves nothing of a deleted draft, and copies an order into a new one", async () => {
    const env = await setup();
    const { dentist, clinic, designer } = env;
    const upload = await dentist.upload("upper.stl", smallScanStl());
    const order = await sendOrder(env, { uploads: [{ upload, role: "upperScan" }] });
    const copy = await dentist.call("order.copy", { id: order.id });
    expect(copy).toMatchObject({
      state: "draft",
      files: [{ role: "upperScan", name: "upper.stl" }],
      prescription: { items: [{ teeth: [11] }] },
    });
    expect(copy.number).not.toBe(order.number);
    expect(refusalOf(await designer.ask("order.copy", { id: order.id }))).toBe("notAllowed");
    expect((await step(clinic, copy, "delete")).data).toBeNull();
    expect(refusalOf(await dentist.ask("order.detail", { id: copy.id }))).toBe("notFound");
  });
});
