import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { refusals, type RefusalName } from "@arcada/contract/kernel/refusals";
import { crownFor, steps } from "../orders.ts";
import { crown } from "../planted.ts";
import { newPatient, uploaded } from "../uploads.ts";
import { linked, visitor } from "../visitors.ts";
import { world, type Answer, type Person, type World } from "../world.ts";

const is = (answer: Answer<unknown>, name: RefusalName) => expect(answer.code).toBe(refusals[name].code);
const phrase = "blue heron";
const wish = { kind: "order", label: "Dr. Li", factor: { kind: "phrase", phrase }, warned: true };
const makes = (who: Person, order: Order, more: object = {}) =>
  who.asks("share.create", { ...wish, id: order.id, ...more });
const lets = (who: Person, order: Order, on: boolean) => who.asks("order.letShare", { id: order.id, on });

/** Creates an order with a scan that is named after its patient. By default the lab has accepted it. */
async function orderIn(here: World, more: object = {}, accepted = true): Promise<Order> {
  const { clinic, dentist, lab } = here;
  const patientId = await newPatient(clinic, { name: "王小明", birthDate: "1988-04-12" });
  const { studies } = await uploaded(clinic, patientId, { "王小明 upper.stl": crown() });
  const sent = await dentist.gets("order.save", {
    ...crownFor(patientId, lab.iid, { noDigitalFiles: false, instructions: "王小明" }),
    studies,
    ...more,
    send: true,
  });
  const seen = await lab.gets("order.detail", { id: sent.id });
  return accepted ? steps(lab, seen, "accept", { promisedDate: "2030-01-01" }) : seen;
}

describe("a lab's link to an order", () => {
  let here: World;
  let order: Order;
  beforeAll(async () => {
    here = await world();
    order = await orderIn(here);
  });

  it("is made where the clinic lets it, by a manager or who does the work, once the order is accepted", async () => {
    const { clinic, dentist, lab } = here;
    const colleague = await here.server.person("clinicMember", { id: clinic.iid! });
    const [worker, idle] = [
      await here.server.person("factoryMember", { id: lab.iid! }),
      await here.server.person("factoryMember", { id: lab.iid! }),
    ];
    expect(order).toMatchObject({ mayShare: false, labShares: null });
    is(await makes(lab, order), "notAllowed");
    is(await lets(colleague, order, true), "notAllowed");
    is(await lets((await world()).clinic, order, true), "notFound");
    expect((await lab.gets("share.list", {})).total).toBe(0);
    expect((await lets(dentist, order, true)).data).toMatchObject({ labShares: true });
    expect(await lab.gets("order.detail", { id: order.id })).toMatchObject({ mayShare: true });
    const waiting = await orderIn(here, { labShares: true }, false);
    is(await makes(lab, waiting), "notAllowed");
    is(await makes(idle, order), "notAllowed");
    is(await makes(lab, order, { factor: { kind: "birthDate" } }), "sharePatientLacks");
    is(await makes(lab, order, { factor: { kind: "none" } }), "shareFactorNeeded");
    const taken = await steps(lab, waiting, "accept", { promisedDate: "2030-01-01", assigneeId: worker.uid });
    expect((await makes(worker, taken)).code).toBe(200);
    expect((await lab.gets("share.list", {})).total).toBe(1);
  });

  it("shows who made it and no more than the lab was given; the clinic sees it and can end it, nothing else", async () => {
    const { clinic, lab } = here;
    const { secret, share } = await linked(lab, order.id, wish);
    expect(share).toMatchObject({ patientId: null, patientName: "王小明", madeAt: null });
    const guest = visitor(here.server);
    const { data } = await guest.asks("share.knock", { secret });
    expect(data.institution).toBe((await clinic.gets("order.detail", { id: order.id })).receiver!.name);
    await guest.opens(secret, phrase);
    expect((await guest.asks("share.visit", {})).data.institution).toBe(data.institution);
    // The record is corrected after the order was sent.
    const patient = await clinic.gets("patient.detail", {
      id: (await clinic.gets("order.detail", { id: order.id })).patientId!,
    });
    await clinic.gets("patient.update", { ...patient, name: "王大明" });
    expect((await guest.asks("share.order", { id: order.id })).data.patientName).toBe("王小明");
    const theirs = (await clinic.gets("share.list", { thingId: order.id })).list.find(({ id }) => id === share.id);
    expect(theirs).toMatchObject({ madeAt: data.institution, actions: ["cancel"], opens: 1 });
    is(await clinic.asks("share.renew", { id: share.id }), "shareActionNotAllowed");
    is(await (await world()).lab.asks("share.step", { id: share.id, action: "cancel" }), "notFound");
    expect((await lab.gets("share.log", { id: share.id })).map(({ what }) => what)).toEqual(["look", "open", "create"]);
    await clinic.gets("share.step", { id: share.id, action: "cancel" });
    is(await guest.asks("share.order", { id: order.id }), "shareGone");
  });

  it("ends when the clinic takes its leave back; the clinic's own goes on", async () => {
    const { dentist, lab } = here;
    const [ours, theirs] = [await linked(dentist, order.id, wish), await linked(lab, order.id, wish)];
    const guest = visitor(here.server);
    await guest.opens(theirs.secret, phrase);
    expect((await guest.asks("share.order", { id: order.id })).code).toBe(200);
    await lets(dentist, order, false);
    is(await guest.asks("share.order", { id: order.id }), "shareGone");
    is(await visitor(here.server).asks("share.knock", { secret: theirs.secret }), "shareGone");
    expect((await visitor(here.server).asks("share.knock", { secret: ours.secret })).code).toBe(200);
    is(await makes(lab, order), "notAllowed");
    const { list } = await lab.gets("share.list", { part: "ended", thingId: order.id });
    expect(list.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });
});

it("a lab from which the patient's name is hidden makes links without names alone, and shows it to nobody", async () => {
  const here = await world({ clinic: { hidePatientNames: true } });
  const order = await orderIn(here, { labShares: true });
  is(await makes(here.lab, order), "notAllowed");
  const { secret, share } = await linked(here.lab, order.id, { ...wish, nameless: true, allowDownload: true });
  const guest = visitor(here.server);
  await guest.opens(secret, phrase);
  const shown = (await guest.asks("share.order", { id: order.id })).data;
  const { url } = (await guest.asks("share.orderDownload", { id: order.id })).data;
  const archive = await guest.fetches(url);
  const said = [
    JSON.stringify([share, shown, await here.lab.gets("share.list", {}), [...archive.headers]]),
    Buffer.from(await archive.arrayBuffer()).toString(),
  ];
  expect(shown.files).toHaveLength(1);
  for (const word of ["小明", "1988"]) expect(said.filter((text) => text.includes(word))).toEqual([]);
});
