import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { type RefusalName } from "@arcada/contract/kernel/refusals";
import { crownOrderInput, takeStep } from "@arcada/testing/fixtures/orders";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { createShare, newGuest } from "@arcada/testing/clients/guest";
import { setup, type Answer, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const expectRefusal = (answer: Answer<unknown>, name: RefusalName) => expect(refusalOf(answer)).toBe(name);
const phrase = "blue heron";
const shareInput = { kind: "order", label: "Dr. Li", factor: { kind: "phrase", phrase }, warned: true };
const createLabShare = (who: TestUser, order: Order, more: object = {}) =>
  who.ask("share.create", { ...shareInput, id: order.id, ...more });
const permitSharing = (who: TestUser, order: Order, on: boolean) => who.ask("order.letShare", { id: order.id, on });

/** Creates an order with a scan that is named after its patient. By default the lab has accepted it. */
async function createLabOrder(clinicAndLab: TestSetup, more: object = {}, accepted = true): Promise<Order> {
  const { clinic, dentist, lab } = clinicAndLab;
  const patientId = await createPatient(clinic, { name: "王小明", birthDate: "1988-04-12" });
  const { studies } = await uploadStudy(clinic, patientId, { "王小明 upper.stl": crownStl() });
  const sent = await dentist.call("order.save", {
    ...crownOrderInput(patientId, lab.iid, { noDigitalFiles: false, instructions: "王小明" }),
    studies,
    ...more,
    send: true,
  });
  const seen = await lab.call("order.detail", { id: sent.id });
  return accepted ? takeStep(lab, seen, "accept", { promisedDate: "2030-01-01" }) : seen;
}

describe("a lab's link to an order", () => {
  let clinicAndLab: TestSetup;
  let order: Order;
  beforeAll(async () => {
    clinicAndLab = await setup();
    order = await createLabOrder(clinicAndLab);
  });

  it("is made where the clinic lets it, by a manager or who does the work, once the order is accepted", async () => {
    const { clinic, dentist, lab } = clinicAndLab;
    const colleague = await clinicAndLab.server.createUser("clinicMember", { id: clinic.iid });
    const [worker, idle] = [
      await clinicAndLab.server.createUser("factoryMember", { id: lab.iid }),
      await clinicAndLab.server.createUser("factoryMember", { id: lab.iid }),
    ];
    expect(order).toMatchObject({ mayShare: false, labShares: null });
    expectRefusal(await createLabShare(lab, order), "notAllowed");
    expectRefusal(await permitSharing(colleague, order, true), "notAllowed");
    expectRefusal(await permitSharing((await setup()).clinic, order, true), "notFound");
    expect((await lab.call("share.list", {})).total).toBe(0);
    expect((await permitSharing(dentist, order, true)).data).toMatchObject({ labShares: true });
    expect(await lab.call("order.detail", { id: order.id })).toMatchObject({ mayShare: true });
    const waiting = await createLabOrder(clinicAndLab, { labShares: true }, false);
    expectRefusal(await createLabShare(lab, waiting), "notAllowed");
    expectRefusal(await createLabShare(idle, order), "notAllowed");
    expectRefusal(await createLabShare(lab, order, { factor: { kind: "birthDate" } }), "sharePatientLacks");
    expectRefusal(await createLabShare(lab, order, { factor: { kind: "none" } }), "shareFactorNeeded");
    const taken = await takeStep(lab, waiting, "accept", { promisedDate: "2030-01-01", assigneeId: worker.uid });
    expect((await createLabShare(worker, taken)).code).toBe(200);
    expect((await lab.call("share.list", {})).total).toBe(1);
  });

  it("shows who made it and no more than the lab was given; the clinic sees it and can end it, nothing else", async () => {
    const { clinic, lab } = clinicAndLab;
    const { secret, share } = await createShare(lab, order.id, shareInput);
    expect(share).toMatchObject({ patientId: null, patientName: "王小明", madeAt: null });
    const guest = newGuest(clinicAndLab.server);
    const { data } = await guest.ask("share.knock", { secret });
    expect(data.institution).toBe(
      present((await clinic.call("order.detail", { id: order.id })).receiver, "receiver").name,
    );
    await guest.open(secret, phrase);
    expect((await guest.ask("share.visit", {})).data.institution).toBe(data.institution);
    // The record is corrected after the order was sent.
    const patient = await clinic.call("patient.detail", {
      id: present((await clinic.call("order.detail", { id: order.id })).patientId, "patientId"),
    });
    await clinic.call("patient.update", { ...patient, name: "王大明" });
    expect((await guest.ask("share.order", { id: order.id })).data.patientName).toBe("王小明");
    const theirs = (await clinic.call("share.list", { thingId: order.id })).list.find(({ id }) => id === share.id);
    expect(theirs).toMatchObject({ madeAt: data.institution, actions: ["cancel"], opens: 1 });
    expectRefusal(await clinic.ask("share.renew", { id: share.id }), "shareActionNotAllowed");
    expectRefusal(await (await setup()).lab.ask("share.step", { id: share.id, action: "cancel" }), "notFound");
    expect((await lab.call("share.log", { id: share.id })).map(({ what }) => what)).toEqual(["look", "open", "create"]);
    await clinic.call("share.step", { id: share.id, action: "cancel" });
    expectRefusal(await guest.ask("share.order", { id: order.id }), "shareGone");
  });

  it("ends when the clinic withdraws its permission; the clinic's own link stays valid", async () => {
    const { dentist, lab } = clinicAndLab;
    const [ours, theirs] = [
      await createShare(dentist, order.id, shareInput),
      await createShare(lab, order.id, shareInput),
    ];
    const guest = newGuest(clinicAndLab.server);
    await guest.open(theirs.secret, phrase);
    expect((await guest.ask("share.order", { id: order.id })).code).toBe(200);
    await permitSharing(dentist, order, false);
    expectRefusal(await guest.ask("share.order", { id: order.id }), "shareGone");
    expectRefusal(await newGuest(clinicAndLab.server).ask("share.knock", { secret: theirs.secret }), "shareGone");
    expect((await newGuest(clinicAndLab.server).ask("share.knock", { secret: ours.secret })).code).toBe(200);
    expectRefusal(await createLabShare(lab, order), "notAllowed");
    const { list } = await lab.call("share.list", { part: "ended", thingId: order.id });
    expect(list.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });
});

it("a lab from which the patient's name is hidden makes links without names alone, and shows it to nobody", async () => {
  const clinicAndLab = await setup({ clinic: { hidePatientNames: true } });
  const order = await createLabOrder(clinicAndLab, { labShares: true });
  expectRefusal(await createLabShare(clinicAndLab.lab, order), "notAllowed");
  const { secret, share } = await createShare(clinicAndLab.lab, order.id, {
    ...shareInput,
    nameless: true,
    allowDownload: true,
  });
  const guest = newGuest(clinicAndLab.server);
  await guest.open(secret, phrase);
  const shown = (await guest.ask("share.order", { id: order.id })).data;
  const { url } = (await guest.ask("share.orderDownload", { id: order.id })).data;
  const archive = await guest.fetch(url);
  const said = [
    JSON.stringify([share, shown, await clinicAndLab.lab.call("share.list", {}), [...archive.headers]]),
    Buffer.from(await archive.arrayBuffer()).toString(),
  ];
  expect(shown.files).toHaveLength(1);
  for (const word of ["小明", "1988"]) expect(said.filter((text) => text.includes(word))).toEqual([]);
});
