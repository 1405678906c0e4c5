import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { files } from "../../apps/server/src/platform/runtime/services.ts";
import { crownOrderInput, latestRevisionHash, takeStep } from "@arcada/testing/fixtures/orders";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { createShare, newGuest, type Guest } from "@arcada/testing/clients/guest";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19880412" } as const;
const nameParts = ["王", "小明", "Wang", "Xiaoming", "PID-4711", "19880412", "1988-04-12", "Kanarienvogel"];
const birthDate = "1988-04-12";

let clinicAndLab: TestSetup;
let order: Order;
let other: Order;
beforeAll(async () => {
  clinicAndLab = await setup();
  order = await createDesignedOrder();
  other = await createOrder();
}, 180_000);

/** An order with scans, a volume and a photo, two designs of the lab, a document and a message. */
async function createDesignedOrder(): Promise<Order> {
  const { clinic, dentist, lab } = clinicAndLab;
  const patientId = await createPatient(clinic, { name: "王小明", birthDate: birthDate });
  const slices = [...createCbctFiles(makeHead("order-shares"), wang, { size })].map(({ name: file, bytes }) => [
    file,
    bytes,
  ]);
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#a45" } })
    .withExif({ IFD0: { ImageDescription: "Kanarienvogel" } })
    .jpeg()
    .toBuffer();
  const scans = {
    ...(Object.fromEntries(slices) as Record<string, Uint8Array>),
    "王小明 upper.stl": crownStl(),
    "小明.jpg": photo,
  };
  const taken = await uploadStudy(clinic, patientId, scans, { acceptMismatch: true });
  const document = await dentist.upload("Kanarienvogel.pdf", Buffer.from("%PDF-1.4 Kanarienvogel"));
  const sent = await dentist.call("order.save", {
    ...crownOrderInput(patientId, lab.iid, { noDigitalFiles: false, instructions: "Kanarienvogel 王小明" }),
    studies: taken.studies,
    uploads: [{ upload: document, role: "document" }],
    send: true,
  });
  let now = await takeStep(lab, await lab.call("order.detail", { id: sent.id }), "accept", {
    promisedDate: "2030-01-01",
  });
  for (const rev of [1, 2]) {
    const upload = await lab.upload(`Wang ${rev}.stl`, crownStl());
    now = await takeStep(lab, now, "submitDesign", {
      files: [{ upload, role: "design" }],
      text: `Kanarienvogel ${rev}`,
    });
    if (rev === 1) {
      const seen = await dentist.call("order.detail", { id: now.id });
      await takeStep(dentist, seen, "returnDesign", { reason: "contact" });
      now = await lab.call("order.detail", { id: now.id });
    }
  }
  return dentist.call("order.detail", { id: now.id });
}

/** An order at the lab with nothing but its prescription. */
async function createOrder(): Promise<Order> {
  const patientId = await createPatient(clinicAndLab.clinic, { name: "韩梅", birthDate: birthDate });
  return clinicAndLab.dentist.call("order.save", { ...crownOrderInput(patientId, clinicAndLab.lab.iid), send: true });
}

const createLink = (more: object = {}, who: TestUser = clinicAndLab.dentist, id = order.id) =>
  createShare(who, id, { kind: "order", ...more });
async function openLink(secret: string, factor?: string): Promise<Guest> {
  const guest = newGuest(clinicAndLab.server);
  expect((await guest.open(secret, factor)).code).toBe(200);
  return guest;
}
const viewOrder = (guest: Guest) => guest.ask("share.order", { id: order.id });

describe("T-10: a link to an order", () => {
  it("shows the prescription and the models alone, where nothing else was chosen", async () => {
    const guest = await openLink((await createLink()).secret, birthDate);
    const { data } = await viewOrder(guest);
    expect(data).toMatchObject({ number: order.number, patientName: "王小明", revisions: [] });
    expect(data.prescription.items).toMatchObject([{ teeth: [11], material: "zirconia" }]);
    expect(data.files.map(({ role }) => role)).toEqual(["upperScan"]);
    expect((await guest.fetch(present(data.files[0].glb, "glb").url)).status).toBe(200);
    for (const file of order.files.filter(({ studyId }) => studyId))
      for (const call of ["share.study", "share.marks", "share.download"] as const)
        expect(refusalOf(await guest.ask(call, { id: present(file.studyId, "studyId") }))).toBe("notFound");
    expect(refusalOf(await guest.ask("share.orderDownload", { id: order.id }))).toBe("notAllowed");
    for (const id of [other.id, crypto.randomUUID()])
      for (const call of ["share.order", "share.orderDownload"] as const)
        expect(refusalOf(await guest.ask(call, { id }))).toBe("notFound");
    for (const call of ["order.detail", "order.download", "order.list"] as const)
      expect(refusalOf(await guest.ask(call, { id: order.id }))).toBe("unknownSession");
  });

  it("shows images and the revisions that were chosen, and its archive contains no more than that", async () => {
    const [first] = order.revisions;
    const { secret, share } = await createLink({ pictures: true, revisions: [first.id], allowDownload: true });
    expect(share).toMatchObject({ kind: "order", pictures: true, revisions: 1, order: { number: order.number } });
    const guest = await openLink(secret, birthDate);
    const { data } = await viewOrder(guest);
    expect(data.files.map(({ role }) => role).toSorted()).toEqual(["ct", "design", "photo", "upperScan"]);
    expect(data.revisions).toMatchObject([{ id: first.id, number: 1, text: "Kanarienvogel 1" }]);
    const volume = present(data.files.find(({ role }) => role === "ct"));
    const study = (await guest.ask("share.study", { id: present(volume.studyId, "studyId") })).data;
    expect(study.series.flatMap(({ instances }) => instances)).toHaveLength(8);
    const { url, files: count } = (await guest.ask("share.orderDownload", { id: order.id })).data;
    expect(count).toBe(4);
    const packed = await readZip(Buffer.from(await (await guest.fetch(url)).arrayBuffer()));
    expect(
      [...packed.keys()].map((path) => path.split("/")[0]).filter((one, at, all) => all.indexOf(one) === at),
    ).toEqual(expect.arrayContaining(["CBCT", "Photograph", "Upper scan", "Design 1", "manifest.json"]));
    expect(packed.size).toBe(12);
    const second = present(
      data.files.concat(order.files as never).find(({ revisionId }) => revisionId === order.revisions[1].id),
    );
    expect(refusalOf(await guest.ask("share.orderDownload", { id: order.id, files: [second.id] }))).toBe("notFound");
    const log = await clinicAndLab.clinic.call("share.log", { id: share.id });
    expect(log.map(({ what }) => what)).toEqual(["download", "look", "open", "create"]);
  });

  it("names nobody in answers, files, their addresses or the archive, where it is without names", async () => {
    const revisions = order.revisions.map(({ id }) => id);
    const factor = { kind: "phrase", phrase: "blue heron" };
    const { secret } = await createLink({ nameless: true, pictures: true, revisions, allowDownload: true, factor });
    const guest = await openLink(secret, "blue heron");
    const { data } = await viewOrder(guest);
    const volume = present(data.files.find(({ role }) => role === "ct"));
    const said = JSON.stringify([
      data,
      await guest.ask("share.visit", {}),
      await guest.ask("share.study", { id: present(volume.studyId, "studyId") }),
    ]);
    const texts = [said];
    const addresses = [...said.matchAll(/"(\/files\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(6);
    for (const address of addresses) {
      const answer = await guest.fetch(address);
      expect([answer.status, address]).toEqual([200, address]);
      texts.push(
        JSON.stringify([...answer.headers]),
        decodeURIComponent(address),
        Buffer.from(await answer.arrayBuffer()).toString(),
      );
    }
    const archive = await guest.fetch((await guest.ask("share.orderDownload", { id: order.id })).data.url);
    texts.push(JSON.stringify([...archive.headers]));
    const packed = await readZip(Buffer.from(await archive.arrayBuffer()));
    expect(packed.size).toBe(13);
    for (const [path, bytes] of packed) texts.push(path, bytes.toString());
    for (const word of nameParts)
      expect([word, texts.filter((text) => text.includes(word)).map((text) => text.slice(0, 200))]).toEqual([word, []]);
  });

  it("needs an answer for all but models without names, and belongs to the creator and the managers", async () => {
    const before = (await clinicAndLab.clinic.call("share.list", {})).total;
    const colleague = await clinicAndLab.server.createUser("clinicMember", { id: clinicAndLab.clinic.iid });
    const make = (more: object, who: TestUser = clinicAndLab.dentist, id = order.id) =>
      who.ask("share.create", { kind: "order", id, label: "Dr. Li", factor: { kind: "none" }, warned: true, ...more });
    expect(refusalOf(await make({}))).toBe("shareFactorNeeded");
    expect(refusalOf(await make({ nameless: true, pictures: true }))).toBe("shareFactorNeeded");
    expect(refusalOf(await make({ nameless: true }, colleague))).toBe("notAllowed");
    expect(refusalOf(await make({ nameless: true }, clinicAndLab.lab))).toBe("notAllowed");
    expect(refusalOf(await make({ nameless: true, revisions: [other.id] }))).toBe("badInput");
    expect(refusalOf(await make({ nameless: true }, (await setup()).clinic))).toBe("notFound");
    const draft = await clinicAndLab.dentist.call("order.copy", { id: order.id });
    expect(refusalOf(await make({ nameless: true }, clinicAndLab.dentist, draft.id))).toBe("shareOrderClosed");
    expect((await clinicAndLab.clinic.call("share.list", {})).total).toBe(before);
    const guest = await openLink(
      (await createLink({ nameless: true, factor: { kind: "none" } }, clinicAndLab.clinic)).secret,
    );
    expect((await viewOrder(guest)).data.patientName).toBe("");
  });
});

describe("a link to an order ends", () => {
  const states = async (id: string) =>
    (await clinicAndLab.clinic.call("share.list", { part: "ended", thingId: id })).list.map(({ state }) => state);
  it("with the order that is cancelled or refused, at once and for good", async () => {
    for (const end of ["cancel", "refuse"] as const) {
      const sent = await createOrder();
      const { secret } = await createLink({}, clinicAndLab.dentist, sent.id);
      const guest = await openLink(secret, birthDate);
      expect((await guest.ask("share.order", { id: sent.id })).code).toBe(200);
      if (end === "cancel") await takeStep(clinicAndLab.dentist, sent, "cancel", { reason: "no need" });
      else
        await takeStep(clinicAndLab.lab, await clinicAndLab.lab.call("order.detail", { id: sent.id }), "refuse", {
          reason: "no time",
          reasonCode: "capacity",
        });
      expect(refusalOf(await guest.ask("share.order", { id: sent.id }))).toBe("shareGone");
      expect(refusalOf(await newGuest(clinicAndLab.server).ask("share.knock", { secret }))).toBe("shareGone");
      expect(await states(sent.id)).toEqual(["cancelled"]);
    }
  });

  it("14 days after the order was completed, and is made for no longer then", async () => {
    const patientId = await createPatient(clinicAndLab.clinic, { name: "韩梅", birthDate: birthDate });
    const sent = await clinicAndLab.dentist.call("order.save", {
      ...crownOrderInput(patientId, clinicAndLab.lab.iid),
      workKinds: ["design"],
      send: true,
    });
    const { share, secret } = await createLink({}, clinicAndLab.dentist, sent.id);
    let now = await takeStep(clinicAndLab.lab, await clinicAndLab.lab.call("order.detail", { id: sent.id }), "accept", {
      promisedDate: "2030-01-01",
    });
    const upload = await clinicAndLab.lab.upload("crown.stl", crownStl());
    now = await takeStep(clinicAndLab.lab, now, "submitDesign", { files: [{ upload, role: "design" }] });
    await takeStep(clinicAndLab.dentist, now, "confirmDelivery", { revisionHash: latestRevisionHash(now) });
    await openLink(secret, birthDate);
    for (const days of [7, 1]) await clinicAndLab.dentist.ask("share.step", { id: share.id, action: "extend", days });
    expect(refusalOf(await clinicAndLab.dentist.ask("share.step", { id: share.id, action: "extend", days: 7 }))).toBe(
      "shareTooLong",
    );
    await ages(sent.id, 10);
    const late = await createLink({}, clinicAndLab.dentist, sent.id);
    expect(Date.parse(late.share.expiresAt) - Date.now()).toBeLessThan(4.01 * 86_400_000);
    await ages(sent.id, 14);
    expect(refusalOf(await newGuest(clinicAndLab.server).ask("share.knock", { secret }))).toBe("shareGone");
    const again = { kind: "order", id: sent.id, label: "x", factor: { kind: "birthDate" }, warned: true };
    expect(refusalOf(await clinicAndLab.dentist.ask("share.create", again))).toBe("shareOrderClosed");
  });

  const ages = (id: string, days: number) =>
    clinicAndLab.server.running.database.asSystem((db) =>
      sql`update orders set completed_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(db),
    );
});

describe("T-03: a link that is cancelled", () => {
  it("breaks an archive off that is on its way, within a second", async () => {
    const iid = clinicAndLab.clinic.iid;
    const { secret, share } = await createLink({ allowDownload: true });
    const { sha256, bytes } = await files().put("originals", iid, randomBytes(64_000_000));
    const scan = present(order.files.find(({ role }) => role === "upperScan"));
    await clinicAndLab.server.running.database.asSystem((db) =>
      sql`update order_file set sha256 = ${sha256}, bytes = ${bytes} where id = ${scan.id}`.execute(db),
    );
    const guest = await openLink(secret, birthDate);
    const { url } = (await guest.ask("share.orderDownload", { id: order.id })).data;
    const reader = present((await guest.fetch(url)).body, "body").getReader();
    expect((await reader.read()).done).toBe(false);
    await clinicAndLab.dentist.call("share.step", { id: share.id, action: "cancel" });
    // The reader waits, and with it the sender: most of the archive has not left yet.
    await new Promise((resolve) => setTimeout(resolve, 900));
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(rest()).rejects.toThrow("terminated");
    expect((await guest.fetch(url)).status).toBe(403);
  });
});
