import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { letForward, passOn, relate, seen, withPlant } from "../../../../tests/forwarding.ts";
import { latestHash, sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import type { SaveInput, StepInput } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, World } from "../../../../tests/world.ts";
import type { Plant } from "../../../../tests/forwarding.ts";

const code = (name: RefusalName): number => refusals[name].code;

/** An order that the lab has accepted and may pass on to a second lab. */
async function accepted(change: Partial<SaveInput> = {}): Promise<World & Plant & { order: Order }> {
  const here = await world();
  const plant = await withPlant(here);
  await letForward(here.clinic);
  const order = await steps(here.lab, await sentOrder(here, change), "accept");
  return { ...here, ...plant, order };
}
/** The child as the second lab has it, accepted. */
async function atPlant(here: World & Plant & { order: Order }, way: Partial<StepInput> = {}): Promise<Order> {
  const draft = await passOn(here.lab, here.order, here.plant, way);
  await steps(here.lab, draft, "submit");
  return steps(here.plant, await seen(here.plant, draft), "accept");
}
const design = async (who: Person): Promise<StepInput["files"]> => [
  { upload: await who.uploads("design.stl", smallScan(3)), role: "design" },
];

describe("an order that is passed on", () => {
  it("waits with the lab until the second lab has it, and comes back when it is made", async () => {
    const here = await accepted({ workKinds: ["machining"] });
    const { lab, dentist, plant, maker, order } = here;
    const draft = await passOn(lab, order, plant);
    expect(draft).toMatchObject({ state: "draft", patientName: "王**", family: { parent: { number: order.number } } });
    expect(await seen(dentist, order)).toMatchObject({
      state: "awaiting_sending",
      holder: "receiver",
      actions: [],
      mayShare: true,
    });
    expect((await plant.asks("order.detail", { id: draft.id })).code).toBe(code("notFound"));
    await steps(lab, draft, "submit");
    expect(await seen(dentist, order)).toMatchObject({
      state: "forwarded",
      family: { child: { order: null, labName: null } },
      actions: ["requestCancel"],
    });
    let child = await steps(maker, await seen(maker, draft), "accept");
    expect(child).toMatchObject({ sender: { iid: lab.iid }, family: { parent: null, mayForward: false } });
    child = await steps(maker, child, "dispatch", { carrier: "SF", trackingNumber: "1" });
    expect((await seen(dentist, order)).state).toBe("forwarded");
    await steps(lab, await seen(lab, child), "confirmReceipt");
    expect(await seen(lab, order)).toMatchObject({ state: "awaiting_dispatch", turn: "receiver", shipment: null });
  });

  it("goes straight to the sender, whose receipt completes both; a name is shown only where the lab says so", async () => {
    const here = await accepted({ workKinds: ["machining"] });
    const { lab, dentist, maker, plant, order } = here;
    let child = await atPlant(here, { straight: true, showName: true });
    child = await steps(plant, child, "dispatch", { carrier: "SF", trackingNumber: "77" });
    const arriving = await seen(dentist, order);
    expect(arriving).toMatchObject({ state: "awaiting_receipt", shipment: { carrier: "SF", trackingNumber: "77" } });
    expect(arriving.family.child?.labName).toMatch(/^Lab /);
    expect((await seen(lab, child)).actions).toEqual([]);
    expect((await seen(lab, order)).actions).not.toContain("recallDispatch");
    await steps(plant, child, "correctShipment", { carrier: "SF", trackingNumber: "78" });
    const corrected = await seen(dentist, order);
    expect(corrected.shipment?.trackingNumber).toBe("78");
    expect(await steps(dentist, corrected, "confirmReceipt")).toMatchObject({ state: "completed" });
    expect(await seen(maker, child)).toMatchObject({ state: "completed" });
  });

  it("returns to where it was when the second lab refuses, and when the lab drops it before", async () => {
    const here = await accepted();
    const { lab, dentist, plant, order } = here;
    const draft = await passOn(lab, order, plant);
    const waiting = await seen(lab, order);
    const back = await steps(lab, waiting, "dropForward");
    expect(back).toMatchObject({ state: "awaiting_design", turn: "receiver", family: { child: null } });
    expect((await lab.asks("order.detail", { id: draft.id })).code).toBe(code("notFound"));
    const again = await passOn(lab, order, plant);
    await steps(lab, again, "submit");
    await steps(plant, await seen(plant, again), "refuse", { reason: "no capacity", reasonCode: "capacity" });
    expect(await seen(lab, order)).toMatchObject({ state: "awaiting_design", turn: "receiver" });
    const told = await seen(dentist, order);
    expect(told.events.map(({ action }) => action).slice(-3)).toEqual(["prepareForward", "forward", "childFailed"]);
    expect(JSON.stringify(told)).not.toContain("capacity");
  });

  it("brings a design that the lab submits as its own without another upload", async () => {
    const here = await accepted({ workKinds: ["design"] });
    const { lab, dentist, plant, order } = here;
    let child = await atPlant(here);
    child = await steps(plant, child, "submitDesign", { files: await design(plant) });
    await steps(lab, await seen(lab, child), "confirmDelivery", { revisionHash: latestHash(child) });
    const back = await seen(lab, order);
    expect(back).toMatchObject({ state: "awaiting_design", family: { delivered: true } });
    const submitted = await steps(lab, back, "submitDesign", { delivered: true });
    expect(submitted).toMatchObject({ step: "submitted", turn: "sender", designRevision: 1 });
    const shown = await seen(dentist, order);
    const file = shown.files.find(({ revisionId }) => revisionId !== null)!;
    expect(file.sha256).toBe(child.files.find(({ revisionId }) => revisionId !== null)!.sha256);
    const answer = await fetch(here.server.running.address + file.url!, { headers: { token: dentist.token } });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(smallScan(3));
    expect(await steps(dentist, shown, "confirmDelivery", { revisionHash: latestHash(shown) })).toMatchObject({
      state: "completed",
    });
  });

  it("ends with its child while nobody has taken that on, and not after", async () => {
    const here = await accepted();
    const { lab, dentist, plant, order } = here;
    const draft = await passOn(lab, order, plant);
    await steps(lab, draft, "submit");
    const wish = await steps(dentist, await seen(dentist, order), "requestCancel", { reason: "moved away" });
    const taken = await steps(plant, await seen(plant, draft), "accept");
    const answer = await lab.asks("order.step", {
      id: wish.id,
      version: wish.version,
      action: "decideCancel",
      approve: true,
    });
    expect(answer.code).toBe(code("orderChildUnderWay"));
    expect(await seen(lab, order)).toMatchObject({ state: "forwarded", cancelRequest: "moved away" });
    await steps(plant, taken, "cancelByReceiver", { reason: "broken mill" });
    const once = await passOn(lab, order, plant).catch(String);
    expect(once).toContain(String(code("orderRequestOpen")));
    const ended = await steps(lab, await seen(lab, order), "decideCancel", { approve: true });
    expect(ended.state).toBe("cancelled");

    const other = await accepted();
    const child = await passOn(other.lab, other.order, other.plant);
    await steps(other.lab, child, "submit");
    await steps(other.dentist, await seen(other.dentist, other.order), "requestCancel", { reason: "twice" });
    await steps(other.lab, await seen(other.lab, other.order), "decideCancel", { approve: true });
    expect(await seen(other.plant, child)).toMatchObject({ state: "cancelled" });
    expect(await seen(other.dentist, other.order)).toMatchObject({ state: "cancelled" });
  });

  it("is refused without the sender's leave, to the sender, in a ring, too deep, and to strangers; and nothing changes", async () => {
    const here = await accepted();
    const { lab, clinic, dentist, plant, order } = here;
    const why = async (who: Person, at: Order, targetIid: string | null, way: Partial<StepInput> = {}) => {
      const now = await seen(who, at);
      const said = { id: now.id, version: now.version, action: "prepareForward" as const, targetIid, ...way };
      const answer = await who.asks("order.step", said);
      expect(await seen(who, at)).toMatchObject({ state: now.state, version: now.version });
      return answer.code;
    };
    const stranger = await here.server.institution("lab");
    expect(await why(lab, order, stranger.id)).toBe(code("orderNoRelation"));
    expect(await why(lab, order, clinic.iid)).toBe(code("institutionUnknown"));
    expect(await why(lab, order, lab.iid)).toBe(code("orderForwardCycle"));
    expect(await why(dentist, order, plant.iid)).toBe(code("orderActionNotAllowed"));
    await letForward(clinic, false);
    expect(await why(lab, order, plant.iid)).toBe(code("orderForwardNotAllowed"));
    expect((await seen(lab, order)).actions).not.toContain("prepareForward");
    const said = await steps(lab, await sentOrder(here, { mayForward: true }), "accept");
    // Each lab decides for the orders that it passes on; no institution may occur twice in the chain.
    let [above, at] = [lab, said];
    let next: Person = plant;
    for (let depth = 0; depth < 3; depth++) {
      const draft = await passOn(above, at, next);
      await steps(above, draft, "submit");
      at = await steps(next, await seen(next, draft), "accept");
      await letForward(above);
      expect(await why(next, at, lab.iid)).toBe(code("orderForwardCycle"));
      above = next;
      next = (await withPlant({ server: here.server, lab: above })).plant;
    }
    expect(await why(above, at, next.iid)).toBe(code("orderForwardCycle"));
    await relate(plant, clinic);
  });

  it("leaves the line where the relationship ended meanwhile, until the lab drops it", async () => {
    const here = await accepted();
    const { lab, plant, order } = here;
    const draft = await passOn(lab, order, plant);
    await here.server.running.database.asSystem((db) =>
      db.updateTable("relation").set({ state: "closing" }).where("target_id", "=", plant.iid!).execute(),
    );
    const answer = await lab.asks("order.step", { id: draft.id, version: draft.version, action: "submit" });
    expect(answer.code).toBe(code("orderNoRelation"));
    expect((await seen(lab, draft)).actions).toEqual(["edit", "submit"]);
    expect(await steps(lab, await seen(lab, order), "dropForward")).toMatchObject({ state: "awaiting_design" });
  });
});
