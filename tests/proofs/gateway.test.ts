import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { commands, buildRequest, statusCodes } from "../../apps/server/src/dimse/command-set.ts";
import {
  implicitLittleEndian,
  verificationClass,
  worklistModel,
} from "../../apps/server/src/dimse/presentation-contexts.ts";
import { refusals } from "@arcada/contract/kernel/refusals";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { DimseClient, readDicomObject } from "@arcada/testing/clients/dimse-client";
import { UnreliableConnection, GatewayProcess, isProgramInstalled } from "@arcada/testing/peers/gateway-process";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";

const isFull = process.env.ARCADA_PROOF === "full";
const slices = isFull ? 400 : 60;
const run = promisify(execFile);
const folder = path.join(tmpdir(), `arcada-gateway-proof-${process.pid}`);

let clinicAndLab: TestSetup;
let connection: UnreliableConnection;
let gateway: GatewayProcess;
let viewer: DicomwebClient;
let device: string;
beforeAll(async () => {
  mkdirSync(folder);
  clinicAndLab = await setup();
  viewer = new DicomwebClient(clinicAndLab.clinic);
  await createPatient(clinicAndLab.clinic, { name: "欧阳春晓", birthDate: "1985-03-04" });
  await createPatient(clinicAndLab.clinic, { name: "张伟" });
  const bound = await bindDevice(clinicAndLab.clinic, "GW-1");
  device = bound.id;
  connection = await UnreliableConnection.to(Number(new URL(clinicAndLab.server.address).port));
  gateway = new GatewayProcess({
    GATEWAY_CLOUD: `http://127.0.0.1:${connection.port}`,
    GATEWAY_KEY: bound.key,
    GATEWAY_CALLING_AES: "CBCT1=CT,PANO=PX",
  });
  await gateway.start();
});
afterAll(async () => {
  await gateway?.remove();
  connection?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function bindDevice(clinic: TestUser, serialNumber: string): Promise<{ id: string; key: string }> {
  const service = await clinic.server.createUser("afterSalesAdmin");
  const { activationCode } = await service.call("device.register", {
    product: "Arcada CBCT",
    serialNumber,
    model: "C1",
  });
  const bound = await clinic.call("device.bind", { serialNumber, activationCode, name: "Scanner" });
  return { id: bound.device.id, key: bound.key };
}

const createFiles = (id: string, seed: string, count: number): Uint8Array[] =>
  [
    ...createCbctFiles(
      makeHead(seed),
      { id, name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" },
      { size: { columns: 64, rows: 64, slices: count, voxel: 2 } },
    ),
  ].map(({ bytes }) => bytes);
const writeFiles = (files: readonly Uint8Array[], name: string): string[] =>
  files.map((bytes, place) => {
    const file = path.join(folder, `${name}-${place}.dcm`);
    writeFileSync(file, bytes);
    return file;
  });
const storescuArguments = (title = "CBCT1") => ["-aet", title, "-aec", "ARCADA", "127.0.0.1", String(gateway.port)];
const studyUid = (file: Uint8Array): string => readDicomHeader(readDicom(file)).studyInstanceUid;
const dataSet = (file: Uint8Array): Buffer => readDicomObject(file, "", "").dataSet;
const waitUntilEmpty = async () => {
  const { waiting, failed } = await gateway.status();
  return [waiting.count, failed.length];
};

describe.skipIf(!isProgramInstalled("storescu"))("a clinic's gateway", () => {
  it(
    `brings each of ${slices} slices once, though the line breaks and the gateway is killed`,
    { timeout: 600_000 },
    async () => {
      const patient = await createPatient(clinicAndLab.clinic);
      const { number } = await clinicAndLab.clinic.call("patient.detail", { id: patient });
      const files = createFiles(number, "carried", slices);
      const names = writeFiles(files, "carried");
      const half = slices / 2;
      await run("echoscu", storescuArguments());
      connection.breakConnections(isFull ? 8 : 4, 30_000, isFull ? 600_000 : 90_000);
      const first = await run("storescu", ["-v", "-R", ...storescuArguments(), ...names.slice(0, half)], {
        maxBuffer: 1 << 26,
      });
      await gateway.stop("SIGKILL");
      const killed = connection.breakCount;
      await gateway.start();
      const left = (await gateway.status()).waiting.count;
      const second = await run("storescu", ["-v", "-R", ...storescuArguments(), ...names.slice(half)], {
        maxBuffer: 1 << 26,
      });
      const said = [first, second].map(({ stdout, stderr }) =>
        `${stdout}${stderr}`.match(/Received Store Response \(Success\)/g),
      );
      expect(said.flatMap((one) => one ?? []).length).toBe(slices);
      await expect.poll(waitUntilEmpty, { timeout: 120_000, interval: 200 }).toEqual([0, 0]);
      const study = studyUid(files[0]);
      const instances = () => viewer.search(`/studies/${study}/instances`);
      await expect.poll(async () => (await instances()).length, { timeout: 180_000, interval: 500 }).toBe(slices);
      const kept = await instances();
      expect(new Set(kept.map((one) => one["00080018"]?.Value?.[0])).size).toBe(slices);
      const parts = await viewer.fetchParts(`/studies/${study}`, 'multipart/related; type="application/dicom"');
      const bytes = new Map(parts.map(({ body }) => [readDicomHeader(readDicom(body)).sopInstanceUid, dataSet(body)]));
      for (const file of files)
        expect(bytes.get(readDicomHeader(readDicom(file)).sopInstanceUid)?.equals(dataSet(file))).toBe(true);
      expect(connection.breakCount).toBeGreaterThan(1);
      console.info(
        `${slices} slices, ${connection.breakCount} cuts (${killed} before the kill, which left ${left} waiting): all there`,
      );
    },
  );

  it(
    "queues objects while its device is locked, reports that, and sends them when it is unlocked",
    { timeout: 90_000 },
    async () => {
      const patient = await createPatient(clinicAndLab.clinic, { name: "李锁定" });
      const { number } = await clinicAndLab.clinic.call("patient.detail", { id: patient });
      const files = createFiles(number, "locked", 3);
      const step = async (action: "lock" | "unlock", more = {}) => {
        const { version } = await clinicAndLab.clinic.call("device.detail", { id: device });
        await clinicAndLab.clinic.call("device.step", { id: device, action, version, ...more });
      };
      await step("lock", { reason: "Under repair" });
      await run("storescu", [...storescuArguments("PANO"), ...writeFiles(files, "locked")]);
      await expect
        .poll(async () => (await gateway.status()).trouble, { timeout: 20_000 })
        .toMatchObject({
          kind: "refused",
          code: refusals.deviceLocked.code,
          message: expect.stringContaining("Under repair"),
        });
      expect((await gateway.status()).waiting.count).toBe(3);
      await expect(run("findscu", ["-v", "-W", ...storescuArguments(), "-k", "PatientName"])).resolves.toMatchObject({
        stderr: expect.stringContaining("Failed"),
      });
      await step("unlock");
      await expect.poll(waitUntilEmpty, { timeout: 30_000 }).toEqual([0, 0]);
      await viewer.waitForResults(`/studies/${studyUid(files[0])}/instances`, 3);
      expect((await gateway.status()).trouble).toBeNull();
    },
  );

  it("decides on every identifier that a device may send", { timeout: isFull ? 900_000 : 120_000 }, async () => {
    const proposals = [
      { id: 1, abstractSyntax: verificationClass, transferSyntaxes: [implicitLittleEndian] },
      { id: 3, abstractSyntax: worklistModel, transferSyntaxes: [implicitLittleEndian] },
    ];
    const whole = Buffer.from(identifier);
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    const hostile = fc.oneof(
      fc.tuple(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(20)).map(([changes, cut]) => {
        const bytes = Buffer.from(whole);
        for (const { at, to } of changes) bytes[at] = to;
        return bytes.subarray(0, whole.length - cut);
      }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    const find = { field: commands.find, message: 7, sopClass: worklistModel, sopInstance: "", hasDataSet: true };
    await fc.assert(
      fc.asyncProperty(hostile, async (bytes) => {
        const { client } = await DimseClient.associate({ port: gateway.port, proposals });
        client.send(3, buildRequest(find), true);
        client.send(3, bytes, false);
        const said = await client.readFindResults();
        await client.release();
        expect([
          statusCodes.success,
          statusCodes.otherThanSaid,
          statusCodes.cannotProcess,
          statusCodes.outOfResources,
        ]).toContain(said.status);
      }),
      { numRuns: isFull ? 10_000 : 150 },
    );
    const { client } = await DimseClient.associate({ port: gateway.port, proposals });
    client.socket.cork();
    client.send(3, buildRequest(find), true);
    client.send(3, whole, false);
    client.send(3, cancel, true);
    client.socket.uncork();
    expect((await client.readFindResults()).status).toBe(statusCodes.cancelled);
    expect(await client.echo()).toBe(statusCodes.success);
    client.socket.destroy();
  });

  it(
    "finds the clinic's patients for a device and nobody else's, in its character set, also offline",
    { timeout: 60_000 },
    async () => {
      const stranger = await setup();
      await createPatient(stranger.clinic, { name: "欧阳别家" });
      const finds = async (...asked: string[]) => {
        const options = ["-W", ...storescuArguments("PANO"), ...asked.flatMap((key) => ["-k", key])];
        const { stdout, stderr } = await run("findscu", options, { encoding: "buffer" });
        return Buffer.concat([stdout, stderr]);
      };
      const step = "(0040,0100)[0]";
      const keys = [
        `${step}.Modality=PX`,
        `${step}.ScheduledStationAETitle`,
        `${step}.ScheduledProcedureStepStartDate`,
        "StudyInstanceUID",
        "PatientID",
      ];
      const found = (await finds("PatientName=欧阳*", "SpecificCharacterSet=ISO_IR 192", ...keys)).toString();
      expect(found).toMatch(/\[Ouyang\^Chunxiao=欧阳\^春晓 *\]/);
      expect(found).not.toContain("别家");
      expect(found.match(/\(Pending\)/g)).toHaveLength(1);
      expect(found).toMatch(/\(0020,000d\) UI \[2\.25\.\d+[ \0]?\]/);
      expect(found).toMatch(/\(0008,0060\) CS \[PX\]/);
      expect(found).toMatch(/\(0040,0001\) AE \[PANO/);
      expect((await finds("PatientName=Ouy?ng*", `${step}.Modality=CT`)).toString()).not.toContain("Pending");
      expect((await finds("PatientName=Nobody*")).toString()).not.toContain("Pending");
      const chinese = await finds("PatientName=Zhang^Wei", "SpecificCharacterSet=GB18030");
      expect(new TextDecoder("gb18030").decode(chinese)).toMatch(/\[Zhang\^Wei=张\^伟 *\]/);
      expect((await finds("PatientName=Zhang*", "SpecificCharacterSet=ISO_IR 100")).toString()).toMatch(
        /\[Zhang\^Wei *\]/,
      );
      await finds("PatientID");
      connection.cut();
      const offline = (await finds("PatientName=OUYANG*", "SpecificCharacterSet=ISO_IR 192")).toString();
      expect(offline).toContain("欧阳^春晓");
      const status = await gateway.status();
      expect(status.worklist?.count).toBeGreaterThan(1);
      expect(JSON.stringify(status)).not.toMatch(/欧阳|Ouyang/);
      connection.restore();
    },
  );
});

/** Implicit little endian. */
const element = (group: number, number: number, value: Buffer | string): Buffer => {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(8);
  head.writeUInt16LE(group);
  head.writeUInt16LE(number, 2);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
};
const number = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const cancel = Buffer.concat([
  element(0, 0x100, number(commands.cancel)),
  element(0, 0x120, number(7)),
  element(0, 0x800, number(0x101)),
]);
const identifier = Buffer.concat([
  element(0x08, 0x05, "ISO_IR 192"),
  element(0x10, 0x10, "*"),
  element(0x10, 0x20, ""),
  element(0x10, 0x30, ""),
  element(0x40, 0x100, element(0xfffe, 0xe000, Buffer.concat([element(0x08, 0x60, ""), element(0x40, 0x02, "")]))),
]);
