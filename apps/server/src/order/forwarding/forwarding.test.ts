import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import {
  permitForwarding,
  forwardOrder,
  insertRelation,
  viewOrder,
  addSecondLab,
} from "@arcada/testing/fixtures/forwarding";
import {
  latestRevisionHash,
  sendOrder,
  smallScanStl,
  takeStep,
  type SaveOrderInput,
  type OrderStepInput,
} from "@arcada/testing/fixtures/orders";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import type { SecondLab } from "@arcada/testing/fixtures/forwarding";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

/** An order that the lab has accepted and may pass on to a second lab. */
async function accepted(change: Partial<SaveOrderInput> = {}): Promise<TestSetup & SecondLab & { order: Order }> {
  const env = await setup();
  const plant = await addSecondLab(env);
  await permitForwarding(env.clinic);
  const order = await takeStep(env.lab, await sendOrder(env, change), "accept");
  return { ...env, ...plant, order };
}
/** The child as the second lab has it, accepted. */
async function atPlant(
  env: TestSetup & SecondLab & { order: Order },
  way: Partial<OrderStepInput> = {},
): Promise<Order> {
  const draft = await forwardOrder(env.lab, env.order, env.secondLab, way);
  await takeStep(env.lab, draft, "submit");
  return takeStep(env.secondLab, await viewOrder(env.secondLab, draft), "accept");
}
const design = async (who: TestUser): Promise<OrderStepInput["files"]> => [
  { upload: await who.upload("design.stl", smallScanStl(3)), role: "design" },
];

describe("a forwarded order", () => {
  it("waits with the lab until the second lab accepts it, and comes back when the work is done", async () => {
    const env = await accepted({ workKinds: ["machining"] });
    const { lab, dentist, secondLab: plant, technician: maker, order } = env;
    const draft = await forwardOrder(lab, order, plant);
    expect(draft).toMatchObject({ state: "draft", patientName: "王**", family: { parent: { number: order.number } } });
    expect(await viewOrder(dentist, order)).toMatchObject({
      state: "awaiting_sending",
      holder: "receiver",
      actions: [],
      mayShare: true,
    });
    expect(refusalOf(await plant.ask("order.detail", { id: draft.id }))).toBe("notFound");
    await takeStep(lab, draft, "submit");
    expect(await viewOrder(dentist, order)).toMatchObject({
      state: "forwarded",
      family: { child: { order: null, labName: null } },
      actions: ["requestCancel"],
    });
    let child = await takeStep(maker, await viewOrder(maker, draft), "accept");
    expect(child).toMatchObject({ sender: { iid: lab.iid }, family: { parent: null, mayForward: false } });
    child = await takeStep(maker, child, "dispatch", { carrier: "SF", trackingNumber: "1" });
    expect((await viewOrder(dentist, order)).state).toBe("forwarded");
    await takeStep(lab, await viewOrder(lab, child), "confirmReceipt");
    expect(await viewOrder(lab, order)).toMatchObject({ state: "awaiting_dispatch", turn: "receiver", shipment: null });
  });

  it("is shipped directly to the sender, whose receipt completes both; a name is shown only if the lab allows it", async () => {
    const env = await accepted({ workKinds: ["machining"] });
    const { lab, dentist, technician: maker, secondLab: plant, order } = env;
    let child = await atPlant(env, { straight: true, showName: true });
    child = await takeStep(plant, child, "dispatch", { carrier: "SF", trackingNumber: "77" });
    const arriving = await viewOrder(dentist, order);
    expect(arriving).toMatchObject({ state: "awaiting_receipt", shipment: { carrier: "SF", trackingNumber: "77" } });
    expect(arriving.family.child?.labName).toMatch(/^Lab /);
    expect((await viewOrder(lab, child)).actions).toEqual([]);
    expect((await viewOrder(lab, order)).actions).not.toContain("recallDispatch");
    await takeStep(plant, child, "correctShipment", { carrier: "SF", trackingNumber: "78" });
    const corrected = await viewOrder(dentist, order);
    expect(corrected.shipment?.trackingNumber).toBe("78");
    expect(await takeStep(dentist, corrected, "confirmReceipt")).toMatchObject({ state: "completed" });
    expect(await viewOrder(maker, child)).toMatchObject({ state: "completed" });
  });

  it("returns to its previous state when the second lab refuses, and when the lab drops it before", async () => {
    const env = await accepted();
    const { lab, dentist, secondLab: plant, order } = env;
    const draft = await forwardOrder(lab, order, plant);
    const waiting = await viewOrder(lab, order);
    const back = await takeStep(lab, waiting, "dropForward");
    expect(back).toMatchObject({ state: "awaiting_design", turn: "receiver", family: { child: null } });
    expect(refusalOf(await lab.ask("order.detail", { id: draft.id }))).toBe("notFound");
    const again = await forwardOrder(lab, order, plant);
    await takeStep(lab, again, "submit");
    await takeStep(plant, await viewOrder(plant, again), "refuse", { reason: "no capacity", reasonCode: "capacity" });
    expect(await viewOrder(lab, order)).toMatchObject({ state: "awaiting_design", turn: "receiver" });
    const told = await viewOrder(dentist, order);
    expect(told.events.map(({ action }) => action).slice(-3)).toEqual(["prepareForward", "forward", "childFailed"]);
    expect(JSON.stringify(told)).not.toContain("capacity");
  });

  it("lets the lab submit the child's design as its own without another upload", async () => {
    const env = await accepted({ workKinds: ["design"] });
    const { lab, dentist, secondLab: plant, order } = env;
    let child = await atPlant(env);
    child = await takeStep(plant, child, "submitDesign", { files: await design(plant) });
    await takeStep(lab, await viewOrder(lab, child), "confirmDelivery", { revisionHash: latestRevisionHash(child) });
    const back = await viewOrder(lab, order);
    expect(back).toMatchObject({ state: "awaiting_design", family: { delivered: true } });
    const submitted = await takeStep(lab, back, "submitDesign", { delivered: true });
    expect(submitted).toMatchObject({ step: "submitted", turn: "sender", designRevision: 1 });
    const shown = await viewOrder(dentist, order);
    const file = present(shown.files.find(({ revisionId }) => revisionId !== null));
    expect(file.sha256).toBe(present(child.files.find(({ revisionId }) => revisionId !== null)).sha256);
    const answer = await fetch(env.server.address + present(file.url, "url"), { headers: { token: dentist.token } });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(smallScanStl(3));
    expect(
      await takeStep(dentist, shown, "confirmDelivery", { revisionHash: latestRevisionHash(shown) }),
    ).toMatchObject({
      state: "completed",
    });
  });

  it("ends with its child while nobody has accepted that, and not after", async () => {
    const env = await accepted();
    const { lab, dentist, secondLab: plant, order } = env;
    const draft = await forwardOrder(lab, order, plant);
    await takeStep(lab, draft, "submit");
    const wish = await takeStep(dentist, await viewOrder(dentist, order), "requestCancel", { reason: "moved away" });
    const taken = await takeStep(plant, await viewOrder(plant, draft), "accept");
    const answer = await lab.ask("order.step", {
      id: wish.id,
      version: wish.version,
      action: "decideCancel",
      approve: true,
    });
    expect(refusalOf(answer)).toBe("orderChildUnderWay");
    expect(await viewOrder(lab, order)).toMatchObject({ state: "forwarded", cancelRequest: "moved away" });
    await takeStep(plant, taken, "cancelByReceiver", { reason: "broken mill" });
    const once = await forwardOrder(lab, order, plant).catch(String);
    expect(once).toContain(String(refusals.orderRequestOpen.code));
    const ended = await takeStep(lab, await viewOrder(lab, order), "decideCancel", { approve: true });
    expect(ended.state).toBe("cancelled");

    const other = await accepted();
    const child = await forwardOrder(other.lab, other.order, other.secondLab);
    await takeStep(other.lab, child, "submit");
    await takeStep(other.dentist, await viewOrder(other.dentist, other.order), "requestCancel", { reason: "twice" });
    await takeStep(other.lab, await viewOrder(other.lab, other.order), "decideCancel", { approve: true });
    expect(await viewOrder(other.secondLab, child)).toMatchObject({ state: "cancelled" });
    expect(await viewOrder(other.dentist, other.order)).toMatchObject({ state: "cancelled" });
  });

  it("is refused without the sender's permission, to the sender, in a cycle, too deep, and to unrelated labs, and stays unchanged", async () => {
    const env = await accepted();
    const { lab, clinic, dentist, secondLab: plant, order } = env;
    const why = async (who: TestUser, at: Order, targetIid: string | null, way: Partial<OrderStepInput> = {}) => {
      const now = await viewOrder(who, at);
      const said = { id: now.id, version: now.version, action: "prepareForward" as const, targetIid, ...way };
      const answer = await who.ask("order.step", said);
      expect(await viewOrder(who, at)).toMatchObject({ state: now.state, version: now.version });
      return refusalOf(answer);
    };
    const stranger = await env.server.createInstitution("lab");
    expect(await why(lab, order, stranger.id)).toBe("orderNoRelation");
    expect(await why(lab, order, clinic.iid)).toBe("institutionUnknown");
    expect(await why(lab, order, lab.iid)).toBe("orderForwardCycle");
    expect(await why(dentist, order, plant.iid)).toBe("orderActionNotAllowed");
    await permitForwarding(clinic, false);
    expect(await why(lab, order, plant.iid)).toBe("orderForwardNotAllowed");
    expect((await viewOrder(lab, order)).actions).not.toContain("prepareForward");
    const said = await takeStep(lab, await sendOrder(env, { mayForward: true }), "accept");
    // Each lab decides for the orders that it passes on; no institution may occur twice in the chain.
    let [above, at] = [lab, said];
    let next: TestUser = plant;
    for (let depth = 0; depth < 3; depth++) {
      const draft = await forwardOrder(above, at, next);
      await takeStep(above, draft, "submit");
      at = await takeStep(next, await viewOrder(next, draft), "accept");
      await permitForwarding(above);
      expect(await why(next, at, lab.iid)).toBe("orderForwardCycle");
      above = next;
      next = (await addSecondLab({ server: env.server, lab: above })).secondLab;
    }
    expect(await why(above, at, next.iid)).toBe("orderForwardCycle");
    await insertRelation(plant, clinic);
  });

  it("keeps its state if the relationship ended meanwhile, until the lab drops it", async () => {
    const env = await accepted();
    const { lab, secondLab: plant, order } = env;
    const draft = await forwardOrder(lab, order, plant);
    await env.server.running.database.asSystem((db) =>
      db.updateTable("relation").set({ state: "closing" }).where("target_id", "=", plant.iid).execute(),
    );
    const answer = await lab.ask("order.step", { id: draft.id, version: draft.version, action: "submit" });
    expect(refusalOf(answer)).toBe("orderNoRelation");
    expect((await viewOrder(lab, draft)).actions).toEqual(["edit", "submit"]);
    expect(await takeStep(lab, await viewOrder(lab, order), "dropForward")).toMatchObject({ state: "awaiting_design" });
  });
});
