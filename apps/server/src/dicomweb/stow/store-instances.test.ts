import { readdirSync } from "node:fs";
import { request } from "node:http";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { multipartBody, DicomwebClient, type DicomJson } from "@arcada/testing/clients/dicomweb-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { multipartRules } from "./multipart-reader.ts";
import { failureReasons } from "./store-instances.ts";
import { present } from "@arcada/testing/require-present";
import { uploadFolder } from "@arcada/testing/setup/upload-folder";
import { uploadParts } from "../../platform/runtime/services.ts";

const size = { columns: 32, rows: 32, slices: 4, voxel: 4 };
const filesOf = (id: string, name = "Wang^Xiaoming=王^小明", seed = "store"): Uint8Array[] =>
  [...createCbctFiles(makeHead(seed), { id, name, sex: "M", birthDate: "19900101" }, { size })].map(
    ({ bytes }) => bytes,
  );
const uid = (bytes: Uint8Array): string => readDicomHeader(readDicom(bytes)).studyInstanceUid;

/** About 300 kB that inflate to 300 MB: a data set in deflated explicit VR little endian whose text is endless. */
function deflateBomb(place: number): Uint8Array {
  const [plain] = filesOf(`bomb-${place}`);
  const at = 132 + 12 + new DataView(plain.buffer, plain.byteOffset).getUint32(140, true);
  const meta = Buffer.from(plain.subarray(0, at));
  const syntax = meta.indexOf("1.2.840.10008.1.2.1\0");
  const change = Buffer.concat([
    meta.subarray(0, syntax - 2),
    Uint8Array.of(22, 0),
    Buffer.from("1.2.840.10008.1.2.1.99"),
    meta.subarray(syntax + 20),
  ]);
  change.writeUInt32LE(change.readUInt32LE(140) + 2, 140);
  const long = Buffer.alloc(300_000_000);
  long.write("\x08\x00\x05\x00UT\0\0", "latin1");
  long.writeUInt32LE(long.length - 12, 8);
  return Buffer.concat([change, deflateRawSync(long, { level: 9 })]);
}

const noise = new TextEncoder().encode("no picture");
const count = (answer: DicomJson, tag: string): number => answer[tag]?.Value?.length ?? 0;
const storedCount = (answer: DicomJson): number => count(answer, "00081199");
const reasons = (answer: DicomJson): unknown[] =>
  (answer["00081198"]?.Value ?? []).map((item) => present((item as DicomJson)["00081197"].Value, "Value")[0]);
const unfinishedUploads = (): string[] => readdirSync(uploadFolder());
const remainingRows = ({ server, clinic }: TestSetup) =>
  server.running.database.asSystem((db) =>
    db.selectFrom("upload").select("id").where("institution_id", "=", clinic.iid).execute(),
  );

/** The sender disconnects in the middle of its second file. */
async function sendBrokenOff(url: string, token: string, body: Uint8Array): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": 'multipart/related; type="application/dicom"; boundary=here',
    "content-length": body.length,
  };
  const sending = request(url, { method: "POST", headers });
  const gone = new Promise<void>((resolve) => sending.once("close", () => resolve()));
  sending.on("error", () => {});
  sending.write(body.subarray(0, Math.floor(body.length * 0.4)));
  await new Promise((resolve) => setTimeout(resolve, 150));
  sending.destroy();
  await gone;
}

describe("files sent by STOW-RS", () => {
  it(
    "are assigned to their patient, acknowledged again when repeated, and stored once",
    { timeout: 60_000 },
    async () => {
      const env = await setup();
      const device = new DicomwebClient(env.clinic);
      const patient = await createPatient(env.clinic);
      const { number } = await env.clinic.call("patient.detail", { id: patient });
      const files = filesOf(number);
      const first = await device.store(files, uid(files[0]));
      expect([first.status, storedCount(first.answer), reasons(first.answer)]).toEqual([200, 4, []]);
      const [found] = await device.waitForResults("/studies", 1);
      expect(found).toMatchObject({ "0020000D": { Value: [uid(files[0])] } });
      expect(await env.clinic.call("study.list", { patientId: patient })).toMatchObject([{ kind: "ct", count: 4 }]);
      const again = await device.store(files);
      expect([again.status, storedCount(again.answer)]).toEqual([200, 4]);
      const forged = Uint8Array.from(files[0]);
      forged[forged.length - 1] ^= 1;
      const other = await device.store([forged]);
      expect([other.status, reasons(other.answer)]).toEqual([409, [failureReasons.duplicate]]);
      expect(await env.clinic.call("study.list", { patientId: patient })).toMatchObject([{ count: 4 }]);
    },
  );

  it("become findable although a file of another study that came with them is lost", { timeout: 60_000 }, async () => {
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const [lost, kept] = ["lost", "kept"].map((seed) => filesOf(seed, "", seed)[0]);
    expect((await device.store([lost, kept])).status).toBe(200);
    const name = `${readDicomHeader(readDicom(lost)).sopInstanceUid}.dcm`;
    const { id } = await env.server.running.database.asSystem((db) =>
      db.selectFrom("upload").select("id").where("name", "=", name).executeTakeFirstOrThrow(),
    );
    await uploadParts().remove(id);
    const [found] = await device.waitForResults("/studies", 1);
    expect(found).toMatchObject({ "0020000D": { Value: [uid(kept)] } });
  });

  it("wait in the inbox if they match no single patient", { timeout: 60_000 }, async () => {
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const inInbox = () =>
      env.server.running.database.asSystem((db) =>
        db
          .selectFrom("study")
          .select(["uid", "origin", "count"])
          .where("institution_id", "=", env.clinic.iid)
          .where("patient_id", "is", null)
          .execute(),
      );
    const files = filesOf("nobody-1");
    // Consecutive requests make one study, and one job.
    for (const file of files) expect((await device.store([file])).status).toBe(200);
    await device.waitForResults("/instances", 4);
    expect(await inInbox()).toEqual([{ uid: uid(files[0]), origin: "stow", count: 4 }]);
    const [one, other] = [await createPatient(env.clinic), await createPatient(env.clinic)];
    const twin = filesOf("nobody-2", "Wang^Xiaoming=王^小明", "twin")[0];
    const mixed = await device.store([twin, noise]);
    expect([mixed.status, storedCount(mixed.answer), reasons(mixed.answer)]).toEqual([
      202,
      1,
      [failureReasons.unreadable],
    ]);
    await device.waitForResults("/studies", 2);
    expect(await inInbox()).toHaveLength(2);
    for (const patientId of [one, other]) expect(await env.clinic.call("study.list", { patientId })).toEqual([]);
  });

  it("are refused, each with its reason, if they are no images of this study, and leave no data behind", async () => {
    const before = unfinishedUploads();
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const [file] = filesOf("nobody-1");
    expect(reasons((await device.store([noise])).answer)).toEqual([failureReasons.unreadable]);
    const other = await device.store([file, noise], "1.2.3");
    expect([other.status, reasons(other.answer)]).toEqual([
      409,
      [failureReasons.otherStudy, failureReasons.unreadable],
    ]);
    expect((await new DicomwebClient(env.lab).store([file]).catch(() => ({ status: 0 }))).status).toBe(403);
    expect(await remainingRows(env)).toEqual([]);
    expect(unfinishedUploads()).toEqual(before);
  });

  it("are stored once when two senders send them at the same time", { timeout: 60_000 }, async () => {
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const files = filesOf("same-1");
    const forged = files.map((bytes) => Uint8Array.from(bytes).with(bytes.length - 1, 99));
    const [one, same, other] = await Promise.all([device.store(files), device.store(files), device.store(forged)]);
    const counts = [one, same, other].map(({ answer }) => storedCount(answer));
    // The first sender of an object wins: identical bytes are acknowledged, different bytes are refused.
    expect([counts[0], counts[0] + counts[2]]).toEqual([counts[1], 4]);
    await device.waitForResults("/instances", 4);
    expect(await remainingRows(env)).toHaveLength(4);
  });

  it("from a sender that stalls leave no data behind and block nothing", { timeout: 60_000 }, async () => {
    const before = unfinishedUploads();
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const whole = multipartBody(filesOf("stalls"), "here");
    const usual = multipartRules.stalledMs;
    Object.assign(multipartRules, { stalledMs: 400 });
    const stalling = request(`${device.base}/studies`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${env.clinic.token}`,
        "content-type": 'multipart/related; type="application/dicom"; boundary=here',
        "content-length": whole.length,
      },
    });
    const gone = new Promise<number>((resolve) => stalling.once("close", () => resolve(performance.now())));
    stalling.on("error", () => {});
    stalling.write(whole.subarray(0, Math.floor(whole.length * 0.6)));
    const from = performance.now();
    await expect.poll(() => unfinishedUploads().length).toBeGreaterThan(before.length);
    expect((await gone) - from).toBeGreaterThan(300);
    Object.assign(multipartRules, { stalledMs: usual });
    await expect.poll(unfinishedUploads).toEqual(before);
    expect(await remainingRows(env)).toEqual([]);
    // The same body, complete, is accepted.
    expect((await device.send(whole, "here")).status).toBe(200);
  });

  it("are not cut off while they wait behind hostile files", { timeout: 120_000 }, async () => {
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    const usual = multipartRules.stalledMs;
    Object.assign(multipartRules, { stalledMs: 300 });
    try {
      const bombs = Array.from({ length: 6 }, (_, place) => device.store([deflateBomb(place)]));
      const innocent = await device.store(filesOf("behind-bombs").slice(0, 1));
      expect([innocent.status, storedCount(innocent.answer)]).toEqual([200, 1]);
      for (const { status, answer } of await Promise.all(bombs))
        expect([status, reasons(answer)]).toEqual([409, [failureReasons.unreadable]]);
    } finally {
      Object.assign(multipartRules, { stalledMs: usual });
    }
  });

  it("in a broken body leave no data behind", { timeout: 60_000 }, async () => {
    const before = unfinishedUploads();
    const env = await setup();
    const device = new DicomwebClient(env.clinic);
    await createPatient(env.clinic);
    const whole = multipartBody(filesOf("x"), "here");
    const wrong: [string, Uint8Array, string][] = [
      ["cut in the middle of a part", whole.subarray(0, whole.length - 9000), "here"],
      ["cut before the last boundary", whole.subarray(0, whole.length - 12), "here"],
      ["another boundary", whole, "there"],
      ["nothing", new Uint8Array(), "here"],
      ["a header without end", Buffer.from(`--here\r\nContent-Type: ${"x".repeat(100_000)}`), "here"],
      ["10,000 empty parts", Buffer.from("--here\r\n\r\n\r\n".repeat(10_000) + "--here--"), "here"],
      [
        "a name that leads elsewhere",
        Buffer.from("--here\r\nContent-Location: ../../x\r\n\r\n../../x\r\n--here--"),
        "here",
      ],
      ["10,000 headers", Buffer.from(`--here\r\n${"a: b\r\n".repeat(10_000)}\r\n--here--`), "here"],
      ["parts in parts", Buffer.from("--here\r\nContent-Type: multipart/related; boundary=a\r\n\r\n--a"), "here"],
    ];
    for (const [name, body, boundary] of wrong) {
      // The connection may end before the response is read, which also counts as a refusal.
      const { status } = await device.send(body, boundary).catch(() => ({ status: 400 }));
      expect([400, 409, 415], name).toContain(status);
    }
    await sendBrokenOff(`${device.base}/studies`, env.clinic.token, whole);
    const json = await device.request("/studies", "*/*", {
      method: "POST",
      headers: { "content-type": "application/dicom+json" },
      body: "[]",
    });
    expect(json.status).toBe(415);
    await expect.poll(() => remainingRows(env)).toEqual([]);
    await expect.poll(unfinishedUploads).toEqual(before);
    expect(await device.search("/studies")).toEqual([]);
  });
});
