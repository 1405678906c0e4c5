import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { permitForwarding, viewOrder } from "@arcada/testing/fixtures/forwarding";
import {
  crownOrderInput,
  latestRevisionHash,
  sendOrder,
  smallScanStl,
  takeStep,
} from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { autoCompleteOrders, remindReceipts } from "./scheduled-transitions.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const wishOf = ({ prescription: { targetIid: _, maskName: __, mayForward: ___, namePasses: ____, ...rx } }: Order) =>
  rx;
const days = (count: number): number => count * 86_400_000;

describe("a proposal to change the prescription", () => {
  it("does not affect the work until the lab accepts it with a new date, and shows which fields differ", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    const order = await takeStep(lab, await sendOrder(env), "accept");
    const upload = await dentist.upload("bite.stl", smallScanStl(2));
    const wish = { ...wishOf(order), schemeRequired: true, instructions: "light contacts" };
    const proposed = await takeStep(dentist, await viewOrder(dentist, order), "proposeChange", {
      prescription: wish,
      reason: "the antagonist was changed",
      files: [{ upload, role: "bite" }],
    });
    expect(proposed).toMatchObject({ state: "awaiting_design", rxRevision: 1, prescription: { instructions: null } });
    const asked = await viewOrder(lab, order);
    expect(asked.files).toEqual([]);
    expect(asked.proposal).toMatchObject({
      text: "the antagonist was changed",
      prescription: { instructions: "light contacts" },
      files: [{ name: "bite.stl" }],
    });
    expect(asked.proposal?.changed.toSorted()).toEqual(["instructions", "schemeRequired"]);
    const said = { id: order.id, version: asked.version, action: "decideChange" as const };
    expect(refusalOf(await lab.ask("order.step", { ...said, approve: true }))).toBe("orderPromiseMissing");
    expect(refusalOf(await lab.ask("order.step", { ...said, approve: false }))).toBe("orderReasonMissing");
    const done = await takeStep(lab, asked, "decideChange", { approve: true, promisedDate: "2031-02-03" });
    expect(done).toMatchObject({
      state: "awaiting_scheme",
      rxRevision: 2,
      promisedDate: "2031-02-03",
      proposal: null,
      prescription: { instructions: "light contacts", schemeRequired: true },
    });
    expect(done.files.map(({ name }) => name)).toEqual(["bite.stl"]);
  });

  it("changes nothing when the lab declines, and its files do not join the order", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    const order = await takeStep(lab, await sendOrder(env), "accept");
    const upload = await dentist.upload("bite.stl", smallScanStl(4));
    const own = await viewOrder(dentist, order);
    const same = { id: order.id, version: own.version, action: "proposeChange" as const, prescription: wishOf(order) };
    expect(refusalOf(await dentist.ask("order.step", same))).toBe("orderNothingChanged");
    expect(refusalOf(await dentist.ask("order.step", { ...same, prescription: undefined }))).toBe("badInput");
    const bare = { ...same, prescription: { ...wishOf(order), items: [] } };
    expect(refusalOf(await dentist.ask("order.step", bare))).toBe("orderIncomplete");
    const open = await takeStep(dentist, own, "proposeChange", { ...same, files: [{ upload, role: "bite" }] });
    expect(open.actions).not.toContain("proposeChange");
    const declined = await takeStep(lab, await viewOrder(lab, order), "decideChange", {
      approve: false,
      reason: "too late",
    });
    expect(declined).toMatchObject({ rxRevision: 1, files: [], proposal: null, promisedDate: order.promisedDate });
    expect((await viewOrder(dentist, order)).events.at(-1)).toMatchObject({ action: "decideChange", text: "too late" });
  });

  it("overwrites only the fields that it names", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    const order = await takeStep(lab, await sendOrder(env), "accept");
    const prescription = { ...wishOf(order), instructions: "light contacts" };
    await takeStep(dentist, await viewOrder(dentist, order), "proposeChange", { prescription });
    await env.server.running.database.asSystem((db) =>
      sql`update orders set rx = rx || '{"labShares": true}' where id = ${order.id}::uuid`.execute(db),
    );
    const done = await takeStep(lab, await viewOrder(lab, order), "decideChange", {
      approve: true,
      promisedDate: "2031-02-03",
    });
    expect(done.prescription).toMatchObject({ labShares: true, instructions: "light contacts" });
  });

  it("invalidates a confirmed design when other teeth are requested", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    let order = await takeStep(lab, await sendOrder(env), "accept");
    const upload = await lab.upload("design.stl", smallScanStl(5));
    order = await takeStep(lab, order, "submitDesign", { files: [{ upload, role: "design" }] });
    order = await takeStep(dentist, order, "confirmDesign", { revisionHash: latestRevisionHash(order) });
    const items = order.prescription.items.map((item) => ({ ...item, teeth: [11, 12] }));
    await takeStep(dentist, order, "proposeChange", { prescription: { ...wishOf(order), items } });
    const done = await takeStep(lab, await viewOrder(lab, order), "decideChange", {
      approve: true,
      promisedDate: "2031-01-01",
    });
    expect(done).toMatchObject({ state: "awaiting_design", step: "preparing", turn: "receiver" });
    expect(done.revisions.map(({ state }) => state)).toEqual(["voided"]);
  });
});

describe("a remake", () => {
  it("begins as a new draft that records whose fault it is, and both orders refer to each other", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    let order = await takeStep(lab, await sendOrder(env, { workKinds: ["machining"] }), "accept");
    const early = await dentist.ask("order.remake", { id: order.id, class: "lab", bears: "lab" });
    expect(refusalOf(early)).toBe("orderNotRemade");
    order = await takeStep(lab, order, "dispatch", { handDelivery: true });
    order = await takeStep(dentist, order, "confirmReceipt");
    const remake = await dentist.call("order.remake", { id: order.id, class: "material", bears: "shared" });
    expect(remake).toMatchObject({ state: "draft", family: { remakeOf: { number: order.number, class: "material" } } });
    expect((await viewOrder(lab, order)).family.remakes).toEqual([]);
    await takeStep(dentist, remake, "submit");
    const at = { class: "material", bears: "shared" };
    expect((await viewOrder(lab, order)).family.remakes).toMatchObject([{ number: remake.number, ...at }]);
    expect((await viewOrder(lab, remake)).family.remakeOf).toMatchObject({ number: order.number, ...at });
    await dentist.call("order.copy", { id: order.id });
    expect((await viewOrder(dentist, order)).family).toMatchObject({ copies: 1, remakes: [{ id: remake.id }] });
    expect((await viewOrder(lab, order)).family.copies).toBe(0);
  });

  it("keeps the faults of each item of a design, and the reason of a refused order", async () => {
    const env = await setup();
    const { lab, dentist } = env;
    let order = await takeStep(lab, await sendOrder(env), "accept");
    const upload = await lab.upload("design.stl", smallScanStl(6));
    order = await takeStep(lab, order, "submitDesign", { files: [{ upload, role: "design" }] });
    const faults = [{ item: 0, kinds: ["margin" as const, "shade" as const] }];
    order = await takeStep(dentist, order, "returnDesign", { reason: "see items", faults });
    expect((await viewOrder(lab, order)).events.at(-1)).toMatchObject({ action: "returnDesign", faults });
    const other = await sendOrder(env);
    await takeStep(lab, other, "refuse", { reason: "no scanner for this", reasonCode: "files" });
    expect((await viewOrder(dentist, other)).events.at(-1)).toMatchObject({ action: "refuse", code: "files" });
  });
});

describe("a receipt that nobody confirms", () => {
  const onItsWay = async (receiptDays: number | null) => {
    const env = await setup();
    await env.clinic.call("institution.update", { receiptDays });
    let order = await takeStep(env.lab, await sendOrder(env, { workKinds: ["machining"] }), "accept");
    order = await takeStep(env.lab, order, "dispatch", { handDelivery: true });
    return {
      here: env,
      order,
      left: Date.parse(present(order.shipment, "shipment").at),
      database: env.server.running.database,
    };
  };

  it("closes after as many days as the sender has chosen, or never", async () => {
    const soon = await onItsWay(14);
    const never = await onItsWay(null);
    await autoCompleteOrders(soon.database, new Date(soon.left + days(14) - 5000));
    expect((await viewOrder(soon.here.dentist, soon.order)).state).toBe("awaiting_receipt");
    await autoCompleteOrders(soon.database, new Date(soon.left + days(14) + 60_000));
    expect((await viewOrder(soon.here.dentist, soon.order)).state).toBe("completed");
    await autoCompleteOrders(soon.database, new Date(soon.left + days(400)));
    expect((await viewOrder(never.here.dentist, never.order)).state).toBe("awaiting_receipt");
    for (const receiptDays of [13, 91])
      expect(refusalOf(await soon.here.clinic.ask("institution.update", { receiptDays }))).toBe("badInput");
  });

  it("is spoken of only on days before it closes by itself: on day 7 where it closes after 14", async () => {
    const { here: env, left, database } = await onItsWay(14);
    for (const day of [7, 13, 14, 21]) await remindReceipts(database, new Date(left + days(day) + 60_000));
    const { list } = await env.dentist.call("notice.list", { categoryID: 1 });
    expect(list.filter(({ kind }) => kind === "orderReceiptDue").map(({ params }) => params.days)).toEqual(["7"]);
  });

  it("is spoken of on days 7, 14 and 21, each once, and not once it is over", async () => {
    const { here: env, order, left, database } = await onItsWay(21);
    const told = async () =>
      (await env.dentist.call("notice.list", { categoryID: 1 })).list.filter(({ kind }) => kind === "orderReceiptDue");
    await remindReceipts(database, new Date(left + days(7) - 5000));
    expect(await told()).toEqual([]);
    for (const day of [7, 8, 14, 20, 22]) await remindReceipts(database, new Date(left + days(day) + 60_000));
    expect((await told()).map(({ params }) => params.days).toSorted()).toEqual(["14", "7"]);
    await takeStep(env.dentist, await viewOrder(env.dentist, order), "confirmReceipt");
    expect(await remindReceipts(database, new Date(left + days(30)))).toBe(0);
  });
});

it("a draft's permission to forward overrides the agreement with the lab", async () => {
  const env = await setup();
  await permitForwarding(env.clinic);
  const patientId = await createPatient(env.clinic);
  const draft = await env.dentist.call("order.save", crownOrderInput(patientId, env.lab.iid, { mayForward: false }));
  expect(draft.prescription.mayForward).toBe(false);
  const order = await takeStep(env.lab, await takeStep(env.dentist, draft, "submit"), "accept");
  expect(order.actions).not.toContain("prepareForward");
});
