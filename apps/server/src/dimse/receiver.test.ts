import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { DimseClient, readDicomObject, type DicomObject } from "@arcada/testing/clients/dimse-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { isToolInstalled } from "@arcada/testing/peers/dcmtk";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { listenForDicom } from "../dicom-port.ts";
import { readConfig } from "../platform/runtime/config.ts";
import { uploadParts } from "../platform/runtime/services.ts";
import { freeBytes } from "../platform/upload/storage-quota.ts";
import { statusCodes } from "./command-set.ts";
import { encodeAssociateRequest, encodeFragment, encodePdu } from "./pdu.ts";
import type { PduTimeouts } from "./pdu-reader.ts";
import type { DimseReceiver } from "./receiver.ts";
import { present } from "@arcada/testing/require-present";
import { uploadFolder } from "@arcada/testing/setup/upload-folder";

let env: TestSetup;
let receiver: DimseReceiver;
let viewer: DicomwebClient;
beforeAll(async () => {
  env = await setup();
  receiver = await opened();
  viewer = new DicomwebClient(env.clinic);
});
afterAll(() => receiver.close());

function opened(timeouts?: PduTimeouts): Promise<DimseReceiver> {
  const config = readConfig({
    HOST: "127.0.0.1",
    DICOM_PORT: "0",
    DICOM_CALLING_AES: `CBCT1=${env.clinic.iid},LAB=${env.lab.iid}`,
  });
  return listenForDicom(config, env.server.running.database, timeouts) as Promise<DimseReceiver>;
}

const filesOf = (id: string, seed: string): Uint8Array[] =>
  [
    ...createCbctFiles(
      makeHead(seed),
      { id, name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" },
      { size: { columns: 32, rows: 32, slices: 4, voxel: 4 } },
    ),
  ].map(({ bytes }) => bytes);
const objectOf = (file: Uint8Array): DicomObject => {
  const header = readDicomHeader(readDicom(file));
  return readDicomObject(file, header.sopClassUid, header.sopInstanceUid);
};
const unfinishedUploads = (): string[] => readdirSync(uploadFolder());
const listStudies = (file: Uint8Array, count: number) =>
  viewer.waitForResults(`/studies/${readDicomHeader(readDicom(file)).studyInstanceUid}/instances`, count);
const clients: DimseClient[] = [];
const calls = async (more: { callingTitle?: string; calledTitle?: string } = {}) => {
  const called = await DimseClient.associate({ port: receiver.port, ...more });
  clients.push(called.client);
  return called;
};
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.destroy();
});

/** Lets the disk wait for `until`, or fail with it, before the bytes or the name of a file are durable. */
function delayFlush(what: "bytes" | "name", until: Promise<void>): () => void {
  const parts = uploadParts();
  if (what === "name") {
    const syncNames = parts.syncNames.bind(parts);
    const flushed = vi.spyOn(parts, "syncNames").mockImplementation(() => until.then(syncNames));
    return () => flushed.mockRestore();
  }
  const open = parts.open.bind(parts);
  const opened = vi.spyOn(parts, "open").mockImplementation(async (...given) => {
    const file = await open(...given);
    return { ...file, sync: () => until.then(() => file.sync()) };
  });
  return () => opened.mockRestore();
}

describe("a device that sends by C-STORE", () => {
  it(
    "has its objects stored byte for byte and assigned to their patient, and acknowledged again when repeated",
    { timeout: 60_000 },
    async () => {
      const patient = await createPatient(env.clinic);
      const { number } = await env.clinic.call("patient.detail", { id: patient });
      const files = filesOf(number, "stored");
      const { client, unit } = await calls();
      expect(unit?.type).toBe(2);
      expect(await client.echo()).toBe(statusCodes.success);
      for (const file of files) expect(await client.store(objectOf(file))).toBe(statusCodes.success);
      expect(await client.store(objectOf(files[0]))).toBe(statusCodes.success);
      const forged = objectOf(files[1]);
      forged.dataSet[forged.dataSet.length - 1] ^= 1;
      expect(await client.store(forged)).toBe(statusCodes.duplicate);
      expect(await client.release()).toBe(6);
      await listStudies(files[0], 4);
      expect(await env.clinic.call("study.list", { patientId: patient })).toMatchObject([{ kind: "ct", count: 4 }]);
      const { studyInstanceUid } = readDicomHeader(readDicom(files[0]));
      const kept = await viewer.fetchParts(
        `/studies/${studyInstanceUid}`,
        'multipart/related; type="application/dicom"',
      );
      for (const [place, { body }] of kept.entries()) {
        const sent = objectOf(files[place]);
        expect(readDicomObject(body, sent.sopClass, sent.sopInstance).dataSet.equals(sent.dataSet)).toBe(true);
      }
    },
  );

  it("receives the reason why an object is not stored", { timeout: 30_000 }, async () => {
    const before = unfinishedUploads();
    const [file] = filesOf("nobody", "refused");
    const object = objectOf(file);
    const { client } = await calls();
    expect(await client.store({ ...object, sopInstance: "1.2.3" })).toBe(statusCodes.otherThanSaid);
    expect(await client.store({ ...object, sopInstance: "../../etc" })).toBe(statusCodes.invalidInstance);
    expect(await client.store({ ...object, sopClass: "1.2.840.10008.5.1.4.1.1.7" })).toBe(
      statusCodes.classNotSupported,
    );
    expect(await client.store({ ...object, dataSet: Buffer.alloc(5000, 7) })).toBe(statusCodes.cannotUnderstand);
    expect(await client.store({ ...object, dataSet: object.dataSet.subarray(0, -100) })).toBe(
      statusCodes.cannotUnderstand,
    );
    expect(await client.echo()).toBe(statusCodes.success);
    expect(unfinishedUploads()).toEqual(before);
  });

  it.for(["bytes", "name"] as const)(
    "is answered only when the %s of its object would survive a power failure",
    async (what, { onTestFinished }) => {
      const flush = Promise.withResolvers<void>();
      onTestFinished(delayFlush(what, flush.promise));
      const { client } = await calls();
      const status = client.store(objectOf(filesOf("flushed", `flushed ${what}`)[0]));
      expect(await Promise.race([status, delay(500, "waits")])).toBe("waits");
      flush.resolve();
      expect(await status).toBe(statusCodes.success);
    },
  );

  it("is told that the disk does not take its object, of which nothing stays", async ({ onTestFinished }) => {
    const before = unfinishedUploads();
    const object = objectOf(filesOf("unflushed", "unflushed")[0]);
    const { client } = await calls();
    const failure = Promise.reject(new Error("EIO"));
    failure.catch(() => {});
    const restore = delayFlush("bytes", failure);
    onTestFinished(restore);
    expect(await client.store(object)).toBe(statusCodes.outOfResources);
    expect(unfinishedUploads()).toEqual(before);
    restore();
    expect(await client.store(object)).toBe(statusCodes.success);
  });

  it("is admitted by its title alone, for the clinic that the configuration names", async () => {
    const rejected = async (more: { callingTitle?: string; calledTitle?: string }) => {
      const { unit } = await calls(more);
      return [unit?.type, ...(unit?.body ?? [])];
    };
    expect(await rejected({ callingTitle: "STRANGER" })).toEqual([3, 0, 1, 1, 3]);
    expect(await rejected({ callingTitle: "LAB" })).toEqual([3, 0, 1, 1, 3]);
    expect(await rejected({ calledTitle: "OTHER" })).toEqual([3, 0, 1, 1, 7]);
    const many = await Promise.all(Array.from({ length: 9 }, () => calls()));
    const accepted = many.filter(({ unit }) => unit?.type === 2).length;
    // Associations of the previous test may be counted a moment longer.
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(9);
    expect(many.every(({ unit }) => unit?.type === 2 || [...present(unit).body].join() === "0,2,3,2")).toBe(true);
    for (const { client } of many) client.socket.destroy();
    await expect.poll(async () => (await calls()).unit?.type).toBe(2);
  });

  it("leaves no partial object when it disconnects in the middle of one", async () => {
    const before = unfinishedUploads();
    const object = objectOf(filesOf("half", "half")[0]);
    for (const end of ["abort", "destroy"] as const) {
      const { client } = await calls();
      client.beginStore(object);
      client.send(3, object.dataSet.subarray(0, 1000), false, false);
      await expect.poll(() => unfinishedUploads().length).toBe(before.length + 1);
      if (end === "abort") client.socket.write(encodePdu("abort"));
      else client.socket.destroy();
      await expect.poll(unfinishedUploads).toEqual(before);
    }
  });

  it(
    "is disconnected when it falls silent within an object: acknowledged objects stay, and other devices are served meanwhile",
    { timeout: 60_000 },
    async ({ onTestFinished }) => {
      const before = unfinishedUploads();
      const [first, second, ...others] = filesOf("silent", "silent") as [Uint8Array, Uint8Array, ...Uint8Array[]];
      const impatient = await opened({ firstMs: 5000, betweenMs: 3000, withinMs: 3000 });
      onTestFinished(() => impatient.close());
      const { port } = impatient;
      const { client } = await DimseClient.associate({ port });
      expect(await client.store(objectOf(first))).toBe(statusCodes.success);
      const object = objectOf(second);
      client.beginStore(object);
      client.send(3, object.dataSet.subarray(0, 1000), false, false);
      const since = performance.now();
      const other = (await DimseClient.associate({ port })).client;
      for (const file of others) expect(await other.store(objectOf(file))).toBe(statusCodes.success);
      expect(await other.release()).toBe(6);
      while (await client.readPdu());
      expect(performance.now() - since).toBeGreaterThan(2500);
      expect(performance.now() - since).toBeLessThan(20_000);
      // An acknowledged object may still be on its way into the store.
      await expect.poll(() => unfinishedUploads().filter((name) => !before.includes(name)).length).toBeLessThan(4);
      await listStudies(first, 3);
      // Its association slot is free again, and an object that was not acknowledged is sent another time.
      const again = (await DimseClient.associate({ port })).client;
      expect(await again.store(object)).toBe(statusCodes.success);
      await listStudies(first, 4);
    },
  );

  it("cannot crash the receiver with the data that it sends", { timeout: 60_000 }, async () => {
    const before = unfinishedUploads();
    const object = objectOf(filesOf("fuzz", "fuzz")[0]);
    const proposals = [{ id: 3, abstractSyntax: object.sopClass, transferSyntaxes: ["1.2.840.10008.1.2.1"] }];
    const request = encodeAssociateRequest({ callingTitle: "CBCT1", calledTitle: "ARCADA", mostBytes: 0 }, proposals);
    const whole = Buffer.concat([
      request,
      encodeFragment(3, object.dataSet.subarray(0, 300), { isCommand: true, isLast: true }),
      encodeFragment(3, object.dataSet.subarray(0, 3000), { isCommand: false, isLast: true }),
    ]);
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    const hostile = fc.oneof(
      fc.tuple(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat(whole.length)).map(([changes, cut]) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of changes) bytes[at] = to;
        return bytes.subarray(0, whole.length - (cut % 400));
      }),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([request, Buffer.from(bytes)])),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (bytes) => {
        const client = await DimseClient.connect(receiver.port);
        client.socket.end(bytes);
        for (let unit = await client.readPdu(); unit; unit = await client.readPdu());
        client.socket.destroy();
      }),
      { numRuns: process.env.ARCADA_PROOF === "full" ? 5000 : 150 },
    );
    const claims = await DimseClient.connect(receiver.port);
    claims.socket.write(Buffer.from([4, 0, 0xff, 0xff, 0xff, 0xff]));
    expect((await claims.readPdu())?.type).toBe(7);
    await expect.poll(unfinishedUploads).toEqual(before);
    // Aborted associations occupy slots until they have ended.
    const echoes = async () => (await calls()).client.echo().catch(String);
    await expect.poll(echoes).toBe(statusCodes.success);
  });
});

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

it.skipIf(!isToolInstalled("storescu"))(
  "a device whose clinic has no storage left receives that reason, and leaves no partial object",
  async () => {
    const before = unfinishedUploads();
    const files = filesOf("full", "full");
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-storescu-"));
    folders.push(folder);
    const name = path.join(folder, "full.dcm");
    writeFileSync(name, files[0]);
    const { clinic, server } = env;
    const room = (bytes: number) =>
      server.running.database.asSystem(async (db) => {
        await db.deleteFrom("stored_file").where("sha256", "=", "f".repeat(64)).execute();
        const row = { institution_id: clinic.iid, sha256: "f".repeat(64), bytes };
        if (bytes > 0) await db.insertInto("stored_file").values(row).execute();
      });
    const rows = () =>
      server.running.database.asSystem((db) =>
        db.selectFrom("upload").select("id").where("institution_id", "=", clinic.iid).execute(),
      );
    const had = await rows();
    // In the first case nothing fits at all. In the second, this shows only after the object has arrived.
    for (const left of [0, 5000]) {
      await room(freeBytes - left);
      const to = ["-v", "-aet", "CBCT1", "-aec", "ARCADA", "127.0.0.1", String(receiver.port)];
      const said = await promisify(execFile)("storescu", [...to, name]).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      expect(`${said.stdout}${said.stderr}`).toMatch(/a700|OutOfResources/i);
      expect(unfinishedUploads()).toEqual(before);
      expect(await rows()).toEqual(had);
    }
    await room(0);
  },
);

it.skipIf(!isToolInstalled("storescu"))("DCMTK's echoscu and storescu are supported", async () => {
  const run = promisify(execFile);
  const files = filesOf("dcmtk", "dcmtk");
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-storescu-"));
  folders.push(folder);
  const names = files.map((bytes, place) => {
    const name = path.join(folder, `${place}.dcm`);
    writeFileSync(name, bytes);
    return name;
  });
  const to = ["-aet", "CBCT1", "-aec", "ARCADA", "127.0.0.1", String(receiver.port)];
  await run("echoscu", to);
  await run("storescu", ["-R", ...to, ...names]);
  await listStudies(files[0], 4);
  await expect(
    run("storescu", ["-aet", "X", "-aec", "ARCADA", "127.0.0.1", String(receiver.port), names[0]]),
  ).rejects.toThrow(/Association Rejected/);
});
