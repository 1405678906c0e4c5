import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { refusals, type RefusalName } from "@arcada/contract/kernel/refusals";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import { files } from "../../apps/server/src/platform/runtime/services.ts";
import { crownFor, latestHash, steps } from "../orders.ts";
import { crown } from "../planted.ts";
import { unzipped } from "../unzipped.ts";
import { newPatient, uploaded } from "../uploads.ts";
import { linked, visitor, type Visitor } from "../visitors.ts";
import { world, type Answer, type Person, type World } from "../world.ts";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19880412" } as const;
const words = ["王", "小明", "Wang", "Xiaoming", "PID-4711", "19880412", "1988-04-12", "Kanarienvogel"];
const born = "1988-04-12";

let here: World;
let order: Order;
let other: Order;
beforeAll(async () => {
  here = await world();
  order = await designed();
  other = await fresh();
}, 180_000);

/** An order with scans, a volume and a photo, two designs of the lab, a document and a message. */
async function designed(): Promise<Order> {
  const { clinic, dentist, lab } = here;
  const patientId = await newPatient(clinic, { name: "王小明", birthDate: born });
  const slices = [...cbctFiles(makeHead("order-shares"), wang, { size })].map(({ name: file, bytes }) => [file, bytes]);
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#a45" } })
    .withExif({ IFD0: { ImageDescription: "Kanarienvogel" } })
    .jpeg()
    .toBuffer();
  const scans = {
    ...(Object.fromEntries(slices) as Record<string, Uint8Array>),
    "王小明 upper.stl": crown(),
    "小明.jpg": photo,
  };
  const taken = await uploaded(clinic, patientId, scans, { acceptMismatch: true });
  const document = await dentist.uploads("Kanarienvogel.pdf", Buffer.from("%PDF-1.4 Kanarienvogel"));
  const sent = await dentist.gets("order.save", {
    ...crownFor(patientId, lab.iid, { noDigitalFiles: false, instructions: "Kanarienvogel 王小明" }),
    studies: taken.studies,
    uploads: [{ upload: document, role: "document" }],
    send: true,
  });
  let now = await steps(lab, await lab.gets("order.detail", { id: sent.id }), "accept", { promisedDate: "2030-01-01" });
  for (const rev of [1, 2]) {
    const upload = await lab.uploads(`Wang ${rev}.stl`, crown());
    now = await steps(lab, now, "submitDesign", { files: [{ upload, role: "design" }], text: `Kanarienvogel ${rev}` });
    if (rev === 1) {
      const seen = await dentist.gets("order.detail", { id: now.id });
      await steps(dentist, seen, "returnDesign", { reason: "contact" });
      now = await lab.gets("order.detail", { id: now.id });
    }
  }
  return dentist.gets("order.detail", { id: now.id });
}

/** An order at the lab with nothing but its prescription. */
async function fresh(): Promise<Order> {
  const patientId = await newPatient(here.clinic, { name: "韩梅", birthDate: born });
  return here.dentist.gets("order.save", { ...crownFor(patientId, here.lab.iid), send: true });
}

const link = (more: object = {}, who: Person = here.dentist, id = order.id) =>
  linked(who, id, { kind: "order", ...more });
const is = (answer: Answer<unknown>, name: RefusalName): boolean => answer.code === refusals[name].code;
async function enters(secret: string, factor?: string): Promise<Visitor> {
  const guest = visitor(here.server);
  expect((await guest.opens(secret, factor)).code).toBe(200);
  return guest;
}
const looks = (guest: Visitor) => guest.asks("share.order", { id: order.id });

describe("T-10: a link to an order", () => {
  it("shows the prescription and the models alone, where nothing else was chosen", async () => {
    const guest = await enters((await link()).secret, born);
    const { data } = await looks(guest);
    expect(data).toMatchObject({ number: order.number, patientName: "王小明", revisions: [] });
    expect(data.prescription.items).toMatchObject([{ teeth: [11], material: "zirconia" }]);
    expect(data.files.map(({ role }) => role)).toEqual(["upperScan"]);
    expect((await guest.fetches(data.files[0]!.glb!.url)).status).toBe(200);
    for (const file of order.files.filter(({ studyId }) => studyId))
      for (const call of ["share.study", "share.marks", "share.download"] as const)
        expect(is(await guest.asks(call, { id: file.studyId! }), "notFound")).toBe(true);
    expect(is(await guest.asks("share.orderDownload", { id: order.id }), "notAllowed")).toBe(true);
    for (const id of [other.id, crypto.randomUUID()])
      for (const call of ["share.order", "share.orderDownload"] as const)
        expect(is(await guest.asks(call, { id }), "notFound")).toBe(true);
    for (const call of ["order.detail", "order.download", "order.list"] as const)
      expect(is(await guest.asks(call, { id: order.id }), "unknownSession")).toBe(true);
  });

  it("shows pictures and the revisions that were chosen, and packs no more than that", async () => {
    const [first] = order.revisions;
    const { secret, share } = await link({ pictures: true, revisions: [first!.id], allowDownload: true });
    expect(share).toMatchObject({ kind: "order", pictures: true, revisions: 1, order: { number: order.number } });
    const guest = await enters(secret, born);
    const { data } = await looks(guest);
    expect(data.files.map(({ role }) => role).toSorted()).toEqual(["ct", "design", "photo", "upperScan"]);
    expect(data.revisions).toMatchObject([{ id: first!.id, number: 1, text: "Kanarienvogel 1" }]);
    const volume = data.files.find(({ role }) => role === "ct")!;
    const study = (await guest.asks("share.study", { id: volume.studyId! })).data;
    expect(study.series.flatMap(({ instances }) => instances)).toHaveLength(8);
    const { url, files: count } = (await guest.asks("share.orderDownload", { id: order.id })).data;
    expect(count).toBe(4);
    const packed = await unzipped(Buffer.from(await (await guest.fetches(url)).arrayBuffer()));
    expect(
      [...packed.keys()].map((path) => path.split("/")[0]).filter((one, at, all) => all.indexOf(one) === at),
    ).toEqual(expect.arrayContaining(["CT", "Photograph", "Upper scan", "Design 1", "manifest.json"]));
    expect(packed.size).toBe(12);
    const second = data.files
      .concat(order.files as never)
      .find(({ revisionId }) => revisionId === order.revisions[1]!.id)!;
    expect(is(await guest.asks("share.orderDownload", { id: order.id, files: [second.id] }), "notFound")).toBe(true);
    const log = await here.clinic.gets("share.log", { id: share.id });
    expect(log.map(({ what }) => what)).toEqual(["download", "look", "open", "create"]);
  });

  it("names nobody in answers, files, their addresses or the archive, where it is without names", async () => {
    const revisions = order.revisions.map(({ id }) => id);
    const factor = { kind: "phrase", phrase: "blue heron" };
    const { secret } = await link({ nameless: true, pictures: true, revisions, allowDownload: true, factor });
    const guest = await enters(secret, "blue heron");
    const { data } = await looks(guest);
    const volume = data.files.find(({ role }) => role === "ct")!;
    const said = JSON.stringify([
      data,
      await guest.asks("share.visit", {}),
      await guest.asks("share.study", { id: volume.studyId! }),
    ]);
    const texts = [said];
    const addresses = [...said.matchAll(/"(\/files\/[^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(6);
    for (const address of addresses) {
      const answer = await guest.fetches(address);
      expect([answer.status, address]).toEqual([200, address]);
      texts.push(
        JSON.stringify([...answer.headers]),
        decodeURIComponent(address),
        Buffer.from(await answer.arrayBuffer()).toString(),
      );
    }
    const archive = await guest.fetches((await guest.asks("share.orderDownload", { id: order.id })).data.url);
    texts.push(JSON.stringify([...archive.headers]));
    const packed = await unzipped(Buffer.from(await archive.arrayBuffer()));
    expect(packed.size).toBe(13);
    for (const [path, bytes] of packed) texts.push(path, bytes.toString());
    for (const word of words)
      expect([word, texts.filter((text) => text.includes(word)).map((text) => text.slice(0, 200))]).toEqual([word, []]);
  });

  it("needs an answer for all but models without names, and belongs to the creator and the managers", async () => {
    const before = (await here.clinic.gets("share.list", {})).total;
    const colleague = await here.server.person("clinicMember", { id: here.clinic.iid! });
    const make = (more: object, who: Person = here.dentist, id = order.id) =>
      who.asks("share.create", { kind: "order", id, label: "Dr. Li", factor: { kind: "none" }, warned: true, ...more });
    expect(is(await make({}), "shareFactorNeeded")).toBe(true);
    expect(is(await make({ nameless: true, pictures: true }), "shareFactorNeeded")).toBe(true);
    expect(is(await make({ nameless: true }, colleague), "notAllowed")).toBe(true);
    expect(is(await make({ nameless: true }, here.lab), "notAllowed")).toBe(true);
    expect(is(await make({ nameless: true, revisions: [other.id] }), "badInput")).toBe(true);
    expect(is(await make({ nameless: true }, (await world()).clinic), "notFound")).toBe(true);
    const draft = await here.dentist.gets("order.copy", { id: order.id });
    expect(is(await make({ nameless: true }, here.dentist, draft.id), "shareOrderClosed")).toBe(true);
    expect((await here.clinic.gets("share.list", {})).total).toBe(before);
    const guest = await enters((await link({ nameless: true, factor: { kind: "none" } }, here.clinic)).secret);
    expect((await looks(guest)).data.patientName).toBe("");
  });
});

describe("a link to an order ends", () => {
  const states = async (id: string) =>
    (await here.clinic.gets("share.list", { part: "ended", thingId: id })).list.map(({ state }) => state);
  it("with the order that is cancelled or refused, at once and for good", async () => {
    for (const end of ["cancel", "refuse"] as const) {
      const sent = await fresh();
      const { secret } = await link({}, here.dentist, sent.id);
      const guest = await enters(secret, born);
      expect((await guest.asks("share.order", { id: sent.id })).code).toBe(200);
      if (end === "cancel") await steps(here.dentist, sent, "cancel", { reason: "no need" });
      else
        await steps(here.lab, await here.lab.gets("order.detail", { id: sent.id }), "refuse", {
          reason: "no time",
          reasonCode: "capacity",
        });
      expect(is(await guest.asks("share.order", { id: sent.id }), "shareGone")).toBe(true);
      expect(is(await visitor(here.server).asks("share.knock", { secret }), "shareGone")).toBe(true);
      expect(await states(sent.id)).toEqual(["cancelled"]);
    }
  });

  it("14 days after the order was completed, and is made for no longer then", async () => {
    const patientId = await newPatient(here.clinic, { name: "韩梅", birthDate: born });
    const sent = await here.dentist.gets("order.save", {
      ...crownFor(patientId, here.lab.iid),
      workKinds: ["design"],
      send: true,
    });
    const { share, secret } = await link({}, here.dentist, sent.id);
    let now = await steps(here.lab, await here.lab.gets("order.detail", { id: sent.id }), "accept", {
      promisedDate: "2030-01-01",
    });
    const upload = await here.lab.uploads("crown.stl", crown());
    now = await steps(here.lab, now, "submitDesign", { files: [{ upload, role: "design" }] });
    await steps(here.dentist, now, "confirmDelivery", { revisionHash: latestHash(now) });
    await enters(secret, born);
    for (const days of [7, 1]) await here.dentist.asks("share.step", { id: share.id, action: "extend", days });
    expect(is(await here.dentist.asks("share.step", { id: share.id, action: "extend", days: 7 }), "shareTooLong")).toBe(
      true,
    );
    await ages(sent.id, 10);
    const late = await link({}, here.dentist, sent.id);
    expect(Date.parse(late.share.expiresAt) - Date.now()).toBeLessThan(4.01 * 86_400_000);
    await ages(sent.id, 14);
    expect(is(await visitor(here.server).asks("share.knock", { secret }), "shareGone")).toBe(true);
    const again = { kind: "order", id: sent.id, label: "x", factor: { kind: "birthDate" }, warned: true };
    expect(is(await here.dentist.asks("share.create", again), "shareOrderClosed")).toBe(true);
  });

  const ages = (id: string, days: number) =>
    here.server.running.database.asSystem((db) =>
      sql`update orders set completed_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(db),
    );
});

describe("T-03: a link that is cancelled", () => {
  it("breaks an archive off that is on its way, within a second", async () => {
    const iid = here.clinic.iid!;
    const { secret, share } = await link({ allowDownload: true });
    const { sha256, bytes } = await files().put("originals", iid, randomBytes(64_000_000));
    const scan = order.files.find(({ role }) => role === "upperScan")!;
    await here.server.running.database.asSystem((db) =>
      sql`update order_file set sha256 = ${sha256}, bytes = ${bytes} where id = ${scan.id}`.execute(db),
    );
    const guest = await enters(secret, born);
    const { url } = (await guest.asks("share.orderDownload", { id: order.id })).data;
    const reader = (await guest.fetches(url)).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await here.dentist.gets("share.step", { id: share.id, action: "cancel" });
    // The reader waits, and with it the sender: most of the archive has not left yet.
    await new Promise((resolve) => setTimeout(resolve, 900));
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(rest()).rejects.toThrow("terminated");
    expect((await guest.fetches(url)).status).toBe(403);
  });
});
