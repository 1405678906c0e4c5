import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { crownFor, latestHash, sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";

const code = (name: RefusalName): number => refusals[name].code;
const step = (who: Person, order: Order, action: string, given: Record<string, unknown> = {}) =>
  who.asks("order.step", { id: order.id, version: order.version, action, ...given });
const actionsOf = (order: Order) => order.events.map((event) => event.action);

describe("from the clinic to the lab and back", () => {
  it("carries a crown from the draft to its receipt, with each turn on the right side", async () => {
    const here = await world();
    const { dentist, clinic, lab, designer } = here;
    const draft = await dentist.gets("order.save", crownFor(await newPatient(clinic), lab.iid));
    expect(draft).toMatchObject({ state: "draft", turn: "nobody", missing: [], actions: ["edit", "delete", "submit"] });
    expect((await designer.asks("order.detail", { id: draft.id })).code).toBe(code("notFound"));

    const sent = await steps(dentist, draft, "submit");
    expect(sent).toMatchObject({ state: "pending", turn: "receiver", myTurn: false, actions: ["cancel"] });
    expect(actionsOf(sent)).toEqual(["create", "submit", "handOver"]);

    const arrived = await designer.gets("order.detail", { id: sent.id });
    expect(arrived).toMatchObject({
      mine: "receiver",
      myTurn: true,
      patientId: null,
      patientName: "王小明",
      actions: ["accept", "refuse"],
    });
    expect(actionsOf(arrived)).toEqual(["handOver"]);

    const accepted = await steps(designer, arrived, "accept");
    expect(accepted).toMatchObject({
      state: "awaiting_design",
      assigneeName: designer.name,
      promisedDate: "2030-01-01",
    });

    const upload = await designer.uploads("crown.stl", smallScan());
    const designed = await steps(designer, accepted, "submitDesign", {
      files: [{ upload, role: "design" }],
      text: "please look",
    });
    expect(designed).toMatchObject({
      step: "submitted",
      turn: "sender",
      designRevision: 1,
      actions: expect.arrayContaining(["withdraw"]),
    });
    expect(designed.files).toMatchObject([
      { role: "design", name: "crown.stl", revisionId: designed.revisions[0]!.id },
    ]);

    await expect
      .poll(async () => (await dentist.gets("order.detail", { id: designed.id })).files[0]!.glb?.error, {
        timeout: 10_000,
      })
      .toBeLessThan(0.005);

    const confirmed = await steps(dentist, designed, "confirmDesign", { revisionHash: latestHash(designed) });
    expect(confirmed).toMatchObject({
      state: "awaiting_dispatch",
      step: "production",
      revisions: [{ state: "confirmed" }],
    });
    const gone = await steps(designer, confirmed, "dispatch", { carrier: "SF", trackingNumber: "1234" });
    expect(gone).toMatchObject({
      state: "awaiting_receipt",
      turn: "sender",
      shipment: { carrier: "SF", trackingNumber: "1234" },
    });
    const done = await steps(dentist, gone, "confirmReceipt");
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
    const here = await world();
    const { dentist, designer } = here;
    let order = await sentOrder(here, { schemeRequired: true });
    order = await steps(designer, order, "accept");
    order = await steps(designer, order, "submitScheme", { text: "first" });
    order = await steps(designer, order, "withdraw");
    order = await steps(designer, order, "submitScheme", { text: "second" });
    const stale = await step(dentist, order, "confirmScheme", { revisionHash: order.revisions[0]!.hash });
    expect(stale.code).toBe(code("orderRevisionStale"));
    order = await steps(dentist, order, "returnScheme", { reason: "not like this" });
    order = await steps(designer, order, "submitScheme", { text: "third" });
    order = await steps(dentist, order, "confirmScheme", { revisionHash: latestHash(order) });
    const file = async (size: number) => [
      { upload: await designer.uploads(`v${size}.stl`, smallScan(size)), role: "design" as const },
    ];
    order = await steps(designer, order, "submitDesign", { files: await file(1) });
    order = await steps(dentist, order, "backToScheme", { reason: "other tooth" });
    expect(order).toMatchObject({ state: "awaiting_scheme", step: "returned", turn: "receiver" });
    expect(order.revisions.map((row) => `${row.kind} ${row.number} ${row.state}`)).toEqual([
      "scheme 1 withdrawn",
      "scheme 2 returned",
      "scheme 3 voided",
      "design 1 voided",
    ]);
    order = await steps(designer, order, "submitScheme", { text: "fourth" });
    order = await steps(dentist, order, "confirmScheme", { revisionHash: latestHash(order) });
    order = await steps(designer, order, "submitDesign", { files: await file(2) });
    order = await steps(dentist, order, "confirmDesign", { revisionHash: latestHash(order) });
    order = await steps(designer, order, "backToDesign", { reason: "broke in milling" });
    expect(order).toMatchObject({ state: "awaiting_design", step: "preparing", designRevision: 2 });
    expect(order.revisions.at(-1)).toMatchObject({ kind: "design", number: 2, state: "voided" });
  });

  it("ends design work at its confirmation, and sends a faulty crown round again", async () => {
    const here = await world();
    const { dentist, designer } = here;
    let digital = await steps(designer, await sentOrder(here, { workKinds: ["design"] }), "accept");
    digital = await steps(designer, digital, "submitDesign", {
      files: [{ upload: await designer.uploads("a.stl", smallScan()), role: "design" }],
    });
    const seen = await dentist.gets("order.detail", { id: digital.id });
    expect(seen.actions).toEqual(["confirmDelivery", "returnDesign", "requestCancel", "proposeChange"]);
    expect(await steps(dentist, digital, "confirmDelivery", { revisionHash: latestHash(digital) })).toMatchObject({
      state: "completed",
    });

    let made = await steps(designer, await sentOrder(here, { workKinds: ["machining"] }), "accept");
    expect(made.state).toBe("awaiting_dispatch");
    made = await steps(designer, made, "dispatch", { handDelivery: true });
    made = await steps(dentist, made, "redeliver", { reason: "does not fit" });
    expect(made).toMatchObject({ state: "awaiting_dispatch", turn: "receiver", shipment: null });
    made = await steps(designer, made, "dispatch", { carrier: "SF", trackingNumber: "1" });
    made = await steps(designer, made, "correctShipment", { carrier: "SF", trackingNumber: "2" });
    expect(made.shipment).toMatchObject({ trackingNumber: "2" });
    expect(await steps(designer, made, "recallDispatch")).toMatchObject({ state: "awaiting_dispatch", shipment: null });
  });

  it("asks the sender, whose answer may change a prescription that nobody has accepted", async () => {
    const here = await world();
    const { dentist, lab } = here;
    const order = await steps(lab, await sentOrder(here), "requestInfo", { text: "Which shade?" });
    expect(order).toMatchObject({ infoRequest: "Which shade?", turn: "sender", state: "pending" });
    expect((await step(lab, order, "requestInfo", { text: "?" })).code).toBe(code("orderRequestOpen"));
    const { targetIid: _, maskName: __, ...rx } = order.prescription;
    const items = [{ ...rx.items[0]!, shade: "B1" as const }];
    expect((await step(dentist, order, "supplyInfo", { text: "B1", prescription: { ...rx, items: [] } })).code).toBe(
      code("orderIncomplete"),
    );
    const upload = await dentist.uploads("upper.stl", smallScan());
    const answered = await steps(dentist, order, "supplyInfo", {
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
    const here = await world();
    const { dentist, lab, designer } = here;
    expect(await steps(dentist, await sentOrder(here), "cancel", { reason: "moved away" })).toMatchObject({
      state: "cancelled",
    });
    let order = await steps(designer, await sentOrder(here), "accept");
    expect((await step(dentist, order, "cancel", { reason: "late" })).code).toBe(code("orderActionNotAllowed"));
    order = await steps(dentist, order, "requestCancel", { reason: "moved away" });
    expect((await step(designer, order, "decideCancel", { approve: true })).code).toBe(code("orderActionNotAllowed"));
    order = await steps(lab, order, "decideCancel", { approve: false, reason: "nearly done" });
    expect(order).toMatchObject({ cancelRequest: null, state: "awaiting_design" });
    order = await steps(dentist, order, "requestCancel", { reason: "really" });
    expect(await steps(lab, order, "decideCancel", { approve: true })).toMatchObject({
      state: "cancelled",
      prescription: { items: [] },
      files: [],
    });
  });

  it("leaves a lab its own designs of a cancelled order, and none of the clinic's files", async () => {
    const here = await world();
    const { dentist, designer, lab } = here;
    const upload = await dentist.uploads("upper.stl", smallScan(4));
    const accepted = await steps(
      designer,
      await sentOrder(here, { uploads: [{ upload, role: "upperScan" }], noDigitalFiles: false }),
      "accept",
    );
    const files = [{ upload: await designer.uploads("crown.stl", smallScan(3)), role: "design" as const }];
    await steps(designer, accepted, "submitDesign", { files });
    const ended = await steps(lab, await lab.gets("order.detail", { id: accepted.id }), "cancelByReceiver", {
      reason: "broken mill",
    });
    expect(ended).toMatchObject({ state: "cancelled", files: [{ role: "design", name: "crown.stl" }] });
    const answer = await fetch(here.server.running.address + ended.files[0]!.url!, {
      headers: { token: designer.token },
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(smallScan(3));
  });

  it("leaves nothing of a deleted draft, and copies an order into a new one", async () => {
    const here = await world();
    const { dentist, clinic, designer } = here;
    const upload = await dentist.uploads("upper.stl", smallScan());
    const order = await sentOrder(here, { uploads: [{ upload, role: "upperScan" }] });
    const copy = await dentist.gets("order.copy", { id: order.id });
    expect(copy).toMatchObject({
      state: "draft",
      files: [{ role: "upperScan", name: "upper.stl" }],
      prescription: { items: [{ teeth: [11] }] },
    });
    expect(copy.number).not.toBe(order.number);
    expect((await designer.asks("order.copy", { id: order.id })).status).toBe(403);
    expect((await step(clinic, copy, "delete")).data).toBeNull();
    expect((await dentist.asks("order.detail", { id: copy.id })).code).toBe(code("notFound"));
  });
});
