import { crc32, deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { deriveUid, writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import sharp from "sharp";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { mail } from "../../apps/server/src/platform/runtime/services.ts";
import type { Order } from "@arcada/contract/order/order.calls";
import { permitForwarding, forwardOrder, viewOrder, addSecondLab } from "@arcada/testing/fixtures/forwarding";
import { crownOrderInput, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type CallName, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { callSamples } from "./support/call-samples.ts";
import { present } from "@arcada/testing/require-present";

/** The patient's name as records, devices and programs write it. It occurs nowhere else. */
const canaries = ["Kanarienvogel", "KANARIENVOGEL", "Zwitscher", "金丝雀", "PID-777-4711"];
const utf8 = (text: string): Buffer => Buffer.from(text);
const panorama = "1.2.840.10008.5.1.4.1.1.1.1";
const nested: DicomDataset = [
  [0x00081150, "UI", panorama],
  [0x00081155, "UI", "1.2.3.9"],
  [0x00100010, "PN", "Kanarienvogel^Zwitscher=金丝雀"],
  [0x00204000, "LT", "Kanarienvogel, 2nd look"],
];
const pixels = Uint16Array.from({ length: 64 * 64 }, (_, at) => at % 4096);
const dicom = (): Buffer => {
  const file = writeDicom(
    [
      [0x00080020, "DA", "20240229"],
      [0x00080060, "CS", "PX"],
      [0x00081030, "LO", "Panorama Kanarienvogel"],
      [0x0008103e, "LO", "金丝雀"],
      [0x00081140, "SQ", [nested]],
      [0x00100010, "PN", "KANARIENVOGEL^Zwitscher=金丝雀"],
      [0x00100020, "LO", "PID-777-4711"],
      [0x00181030, "LO", "Protocol Zwitscher"],
      [0x0020000d, "UI", deriveUid("hidden", "study")],
      [0x0020000e, "UI", deriveUid("hidden", "series")],
      [0x00280002, "US", 1],
      [0x00280004, "CS", "MONOCHROME2"],
      [0x00280010, "US", 64],
      [0x00280011, "US", 64],
      [0x00280100, "US", 16],
      [0x00280101, "US", 12],
      [0x00280102, "US", 11],
      [0x00280103, "US", 0],
      [0x00091010, "LO", "Kanarienvogel"],
      [0x7fe00010, "OW", pixels],
    ],
    { sopClassUid: panorama, sopInstanceUid: deriveUid("hidden", "image"), charset: "ISO_IR 192" },
  );
  file.set(utf8("Kanarienvogel"), 0);
  return Buffer.from(file);
};
const facets = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 9 0 0\nvertex 0 9 0\nendloop\nendfacet\n";
const stl = utf8(`solid Kanarienvogel\n${facets}endsolid Kanarienvogel\n`);
const ply = utf8(
  "ply\nformat ascii 1.0\ncomment Zwitscher\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float Kanarienvogel\nelement face 1\nproperty list uchar int vertex_indices\nelement Zwitscher 1\nproperty int a\nend_header\n0 0 0 1\n9 0 0 1\n0 9 0 1\n3 0 1 2\n7\nKanarienvogel\n",
);
const obj = utf8("# Kanarienvogel\no Zwitscher\nv 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n");
const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: "#a45" } })
    .withExif({ IFD0: { ImageDescription: "Kanarienvogel", Artist: "Zwitscher" } })
    .jpeg()
    .toBuffer();

/** Creates a PNG whose colour profile contains the name. */
async function png(): Promise<Buffer> {
  const plain = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#5a4" } })
    .png()
    .toBuffer();
  const { icc } = await sharp(await sharp(plain).withIccProfile("p3").jpeg().toBuffer()).metadata();
  const data = Buffer.concat([
    utf8("Kanarienvogel\0\0"),
    deflateSync(Buffer.concat([present(icc), utf8("Zwitscher")])),
  ]);
  const body = Buffer.concat([utf8("iCCP"), data]);
  const chunk = Buffer.alloc(8 + body.length);
  chunk.writeUInt32BE(data.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
}

/** Collects everything that a person of the lab receives: answers, files behind addresses, the stream, emails. */
class ResponseCollector {
  readonly received: { where: string; bytes: Buffer }[] = [];
  readonly #followed = new Set<string>();
  readonly #address: string;
  readonly #token: string;
  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  async collect(where: string, answered: unknown): Promise<void> {
    const text = JSON.stringify(answered);
    this.received.push({ where, bytes: utf8(text) });
    for (const [, url] of text.matchAll(/"(\/files\/[^"]+)"/g)) if (url) await this.#follows(url);
  }

  async #follows(url: string): Promise<void> {
    if (this.#followed.has(url)) return;
    this.#followed.add(url);
    const answer = await fetch(this.#address + url, { headers: { token: this.#token } });
    expect(answer.status, url).toBe(200);
    const where = new URL(url, this.#address).pathname;
    this.received.push({ where, bytes: Buffer.from(await answer.arrayBuffer()) });
    this.received.push({
      where: `${where} (headers)`,
      bytes: utf8(decodeURIComponent([...answer.headers].join("\n"))),
    });
    this.received.push({ where: `${where} (address)`, bytes: utf8(decodeURIComponent(url)) });
  }

  /** Returns the places in which a canary appeared. */
  listLeaks(): string[] {
    return this.received.flatMap(({ where, bytes }) =>
      canaries.filter((word) => bytes.includes(utf8(word))).map((word) => `${where}: ${word}`),
    );
  }
  files(): Buffer[] {
    return this.received.filter(({ where }) => /^\/files\/originals\/\S+$/.test(where)).map(({ bytes }) => bytes);
  }
}

/** Collects the answers to every reading call that this user may make about these records. Returns their number. */
async function callAll(
  who: TestUser,
  collector: ResponseCollector,
  inputs: (name: CallName) => Record<string, unknown>[],
): Promise<number> {
  let asked = 0;
  for (const { name, row } of everyCall()) {
    if (row.method !== "GET" || !hasAccess(row.access, "factoryAdmin")) continue;
    for (const input of inputs(name as CallName)) {
      await collector.collect(name, await who.ask(name as CallName, input as never));
      asked++;
    }
  }
  return asked;
}

it("T-02: a lab from which the patient's name is hidden finds it nowhere, and can still work with the images", async () => {
  const clinicAndLab = await setup({ clinic: { hidePatientNames: true } });
  const { clinic, lab } = clinicAndLab;
  const address = clinicAndLab.server.address ?? "";
  const collector = new ResponseCollector(address, lab.token);
  const stream = await openStream(address, lab.token);
  const { patientId, studies, sent } = await sendOrderWithEverything(clinicAndLab);
  const order = await takeStep(lab, await lab.call("order.detail", { id: sent.id }), "accept", {
    promisedDate: "2030-01-01",
  });
  const asked = await collectAll(clinicAndLab, lab, collector, { order, patientId, studies });
  collector.received.push({ where: "stream", bytes: utf8(await stream.end()) });

  console.info(
    `T-02: ${asked} calls, ${collector.received.length} things heard, ${collector.files().length} originals, ${collector.listLeaks().length} leaks`,
  );
  expect(collector.listLeaks()).toEqual([]);
  const image = present(collector.files().find((bytes) => bytes.toString("latin1", 128, 132) === "DICM"));
  const file = readDicom(image);
  expect(file.text("x00100010")).toBe(order.number);
  expect([file.text("x00080020"), file.text("x00120062")]).toEqual(["20240229", "YES"]);
  expect(Buffer.compare(Buffer.from(present(file.rawValue("x7fe00010"))), Buffer.from(pixels.buffer))).toBe(0);
  // Files of study.detail and order.detail: the image, two scans and two photos; the bite; never the archive.
  expect(new Set(collector.files().map((bytes) => bytes.toString("latin1"))).size).toBe(6);
  expect(order.files.filter(({ url }) => url === null).map(({ name }) => name)).toEqual(["document-1.zip"]);
  const owner = new ResponseCollector(address, clinic.token);
  await owner.collect("order.detail", await clinic.call("order.detail", { id: order.id }));
  expect(new Set(owner.listLeaks().map((leak) => leak.split(": ")[1]))).toEqual(new Set(canaries));
});

it("T-02: a second lab finds the name nowhere that the first one knows, and neither does a first one that may not know it", async () => {
  const open = await setup();
  const hidden = await setup({ clinic: { hidePatientNames: true } });
  for (const here of [open, hidden]) {
    const { clinic, lab } = here;
    const { secondLab: plant } = await addSecondLab(here);
    await permitForwarding(clinic);
    const { patientId, studies, sent } = await sendOrderWithEverything(here);
    const parent = await takeStep(lab, await lab.call("order.detail", { id: sent.id }), "accept");
    const draft = await forwardOrder(lab, parent, plant);
    await takeStep(lab, draft, "submit");
    const child = await takeStep(plant, await viewOrder(plant, draft), "accept");
    const collector = new ResponseCollector(here.server.address ?? "", plant.token);
    await collectAll(here, plant, collector, { order: child, patientId, studies });
    expect(collector.listLeaks()).toEqual([]);
    const image = present(collector.files().find((bytes) => bytes.toString("latin1", 128, 132) === "DICM"));
    expect(readDicom(image).text("x00100010")).toBe(child.number);
    const own = new ResponseCollector(here.server.address ?? "", lab.token);
    for (const order of [draft, parent]) await own.collect("order.detail", await viewOrder(lab, order));
    expect(new Set(own.listLeaks().map((leak) => leak.split(": ")[1]))).toEqual(new Set(here === open ? canaries : []));
  }
});

/** Everything that may name a patient, in an order to the lab. */
async function sendOrderWithEverything({
  clinic,
  dentist,
  lab,
}: TestSetup): Promise<{ patientId: string; studies: string[]; sent: Order }> {
  const patientId = await createPatient(clinic, { name: "金丝雀 Kanarienvogel" });
  const entry = (name: string, data: Uint8Array) => ({ name: `金丝雀 Kanarienvogel/${name}`, data });
  const zip = craftZip([
    entry("Kanarienvogel.dcm", dicom()),
    entry("Zwitscher_upper.stl", stl),
    entry("lower Zwitscher.ply", ply),
    entry("Zwitscher.jpg", await photo()),
    entry("Kanarienvogel.png", await png()),
  ]);
  const job = await uploadStudy(clinic, patientId, { "Kanarienvogel.zip": zip }, { acceptMismatch: true });
  expect(job.refused).toEqual([]);
  const uploads = [
    { upload: await dentist.upload("Kanarienvogel bite.obj", obj), role: "bite" as const },
    {
      upload: await dentist.upload("Zwitscher.Zwit", craftZip([entry("a.txt", utf8("x"))])),
      role: "document" as const,
    },
  ];
  const sent = await dentist.call("order.save", {
    ...crownOrderInput(patientId, lab.iid, { noDigitalFiles: false }),
    studies: job.studies,
    uploads,
    send: true,
  });
  return { patientId, studies: job.studies, sent };
}

/** Collects everything that the product shows this person of the case: answers, files, archives, emails. */
async function collectAll(
  here: TestSetup,
  who: TestUser,
  collector: ResponseCollector,
  { order, patientId, studies }: { order: Order; patientId: string; studies: string[] },
): Promise<number> {
  const address = here.server.address ?? "";
  const patient = await here.clinic.call("patient.detail", { id: patientId });
  const records = {
    patient,
    studyId: studies[0],
    order,
    draft: order,
    pin: order.id,
    pacs: order.id,
    analysis: order.id,
    observation: order.id,
  };
  const asked = await callAll(who, collector, (name) => {
    const one = callSamples[name].input(records, here);
    return name.startsWith("study.") && "id" in one ? studies.map((id) => ({ ...one, id })) : [one];
  });
  const archives = [await who.call("order.download", { id: order.id })];
  for (const id of studies) archives.push(await who.call("study.download", { studies: [id] }));
  for (const { url } of archives) {
    const answer = await fetch(address + url);
    expect(answer.status).toBe(200);
    collector.received.push({ where: "archive", bytes: Buffer.from(await answer.arrayBuffer()) });
    collector.received.push({
      where: "archive (headers)",
      bytes: utf8(decodeURIComponent([...answer.headers].join("\n"))),
    });
  }
  const emails = (await mail().outbox()).filter(({ to }) => to === `${who.uid}@example.test`);
  collector.received.push({ where: "letters", bytes: utf8(JSON.stringify(emails)) });
  return asked;
}

/** Opens the lab's live stream and returns its text when it ends. */
async function openStream(address: string, token: string): Promise<{ end: () => Promise<string> }> {
  const stop = new AbortController();
  const response = await fetch(`${address}/v1/notice/stream`, { headers: { token }, signal: stop.signal });
  let text = "";
  const read = async () => {
    for await (const bytes of present(response.body, "body")) text += Buffer.from(bytes as Uint8Array).toString();
  };
  const over = read().catch(() => undefined);
  return {
    end: async () => {
      stop.abort();
      await over;
      return text;
    },
  };
}
