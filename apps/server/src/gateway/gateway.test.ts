import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { selectWritableCharset, encodeText } from "@arcada/imaging/dicom/write/encode-text";
import { createTextDecoder } from "../../../../packages/imaging/src/dicom/parse/decode-text.ts";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DimseClient, readDicomObject, type DicomObject } from "@arcada/testing/clients/dimse-client";
import { isProgramInstalled } from "@arcada/testing/peers/gateway-process";
import { statusCodes } from "../dimse/command-set.ts";
import { createCloudClient } from "./cloud-client.ts";
import { listenForDevices } from "./device-listener.ts";
import { Forwarder } from "./forwarder.ts";
import { readGatewayConfig } from "./gateway.config.ts";
import { SendQueue } from "./send-queue.ts";
import { present } from "@arcada/testing/require-present";

const key = "arcada_device_0123456789abcdef";
const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-gateway-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const objects: DicomObject[] = [
  ...createCbctFiles(
    makeHead("gateway"),
    { id: "1", name: "A^B", sex: "M", birthDate: "19900101" },
    { size: { columns: 32, rows: 32, slices: 6, voxel: 4 } },
  ),
].map(({ bytes }, place) => ({ ...readDicomObject(bytes, "1.2.840.10008.5.1.4.1.1.2", `1.2.3.${place}`) }));

/** A stand-in for Arcada, with responses that the test defines. */
async function cloudStandIn(answer: (uids: string[]) => [status: number, body: object]) {
  const batches: string[][] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const say = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const hello = { name: "S", product: "P", serialNumber: "1", state: "bound", clinic: "C", refused: null };
    if (request.url === "/v1/device/hello") return void say(200, { code: 200, msg: "", data: hello });
    // The file head contains the UID of each (0002,0003).
    const uids = [
      ...Buffer.concat(chunks)
        .toString("latin1")
        .matchAll(/\x03\x00UI..([\d.]+)/gs),
    ].map(([, uid]) => uid);
    batches.push(uids);
    try {
      say(...answer(uids));
    } catch {
      request.socket.destroy();
    }
  };
  return { batches, listener };
}
const item = (uid: string | null, reason?: number) => ({
  ...(uid && { "00081155": { vr: "UI", Value: [uid] } }),
  ...(reason !== undefined && { "00081197": { vr: "US", Value: [reason] } }),
});
const awaitResponse = (kept: string[], failed: [string | null, number][]): [number, object] => [
  failed.length === 0 ? 200 : 202,
  {
    ...(kept.length > 0 && { "00081199": { vr: "SQ", Value: kept.map((uid) => item(uid)) } }),
    ...(failed.length > 0 && { "00081198": { vr: "SQ", Value: failed.map(([uid, reason]) => item(uid, reason)) } }),
  },
];

/** A gateway in this process, in front of a stand-in for Arcada. */
async function gateway(answer: (uids: string[]) => [status: number, body: object], more: Record<string, string> = {}) {
  const { batches, listener } = await cloudStandIn(answer);
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const config = readGatewayConfig({
    GATEWAY_CLOUD: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    GATEWAY_KEY: key,
    GATEWAY_PORT: "0",
    GATEWAY_CALLING_AES: "CBCT1",
    GATEWAY_DIR: newFolder(),
    ...more,
  });
  const queue = await SendQueue.opened(config.folder, config.GATEWAY_DISK_MB * 1_000_000);
  const receiver = await listenForDevices(config, queue, () => Promise.resolve([]));
  const said: string[] = [];
  const begin = () => {
    const forwarder = new Forwarder({
      queue,
      cloud: createCloudClient(config),
      savedState: { last: { device: null, lastSuccessAt: null }, save: async () => {} },
      resumableFromBytes: Number.POSITIVE_INFINITY,
      log: (line) => said.push(line),
      onAccessDenied: async () => {},
      about: { softwareVersion: "test" },
      backOff: { firstMs: 5, mostMs: 20, helloMs: 60_000 },
    });
    onTestFinished(() => forwarder.stop());
    return forwarder;
  };
  const { client } = await DimseClient.associate({ port: receiver.port });
  onTestFinished(async () => {
    client.socket.destroy();
    await receiver.close();
    server.closeAllConnections();
    server.close();
  });
  const lying = (kind: string): string[] => readdirSync(path.join(config.folder, kind));
  return { batches, queue, begin, client, said, lying };
}

describe("a gateway's queue", () => {
  it("is sent in batches and in order, and an object that Arcada refuses stays here with its reason", async () => {
    const { batches, queue, begin, client, said, lying } = await gateway((uids) =>
      awaitResponse(
        uids.filter((uid) => !["1.2.3.1", "1.2.3.3"].includes(uid)),
        uids.flatMap((uid): [string | null, number][] =>
          uid === "1.2.3.1" ? [[uid, 0x0111]] : uid === "1.2.3.3" ? [[null, 0xc000]] : [],
        ),
      ),
    );
    for (const object of objects) expect(await client.store(object)).toBe(statusCodes.success);
    begin();
    await expect.poll(() => queue.waiting.length).toBe(0);
    expect(lying("failed")).toEqual(["000000000002-1.2.3.1~0111.dcm", "000000000004-1.2.3.3~C000.dcm"]);
    expect([lying("queue"), lying("incoming")]).toEqual([[], []]);
    expect(batches[0]).toEqual(objects.map(({ sopInstance }) => sopInstance));
    // The object for which the response named no reason is sent again alone.
    expect(batches.slice(1)).toEqual([["1.2.3.3"]]);
    expect(said.filter((line) => line.includes("does not keep"))).toHaveLength(2);
    const kept = readFileSync(queue.failed[0].path);
    expect(kept.subarray(-objects[1].dataSet.length).equals(objects[1].dataSet)).toBe(true);
  });

  it("waits while Arcada has no storage left, and gives up only on objects that Arcada cannot process", async () => {
    let isFull = true;
    const { queue, begin, client } = await gateway((uids) => {
      if (isFull)
        return awaitResponse(
          [],
          uids.map((uid) => [uid, 0xa700]),
        );
      return awaitResponse(
        uids.filter((uid) => uid !== "1.2.3.0"),
        uids.includes("1.2.3.0") ? [["1.2.3.0", 0x0110]] : [],
      );
    });
    for (const object of objects.slice(0, 3)) await client.store(object);
    const { state } = begin();
    await expect.poll(() => state.trouble?.message).toMatch(/room/);
    expect(queue.waiting).toHaveLength(3);
    isFull = false;
    await expect.poll(() => queue.waiting.length).toBe(0);
    expect(queue.failed).toMatchObject([{ uid: "1.2.3.0", reason: "0110" }]);
    await expect.poll(() => state.trouble).toBeNull();
  });

  it("sets no object aside because of a proxy's response, and sends smaller batches after a broken connection", async () => {
    let tries = 0;
    const { batches, queue, begin, client } = await gateway((uids) => {
      tries += 1;
      if (tries > 9) return awaitResponse(uids, []);
      if (tries < 3) throw new Error("the line breaks");
      return [413, { from: "a proxy" }];
    });
    for (const object of objects) await client.store(object);
    begin();
    await expect.poll(() => queue.waiting.length).toBe(0);
    expect(queue.failed).toEqual([]);
    expect(batches.slice(0, 3).map(({ length }) => length)).toEqual([6, 3, 1]);
  });

  it("refuses an object before acknowledging it when the disk is full, and keeps its contents over a restart", async () => {
    const { queue, client, lying } = await gateway(() => [503, {}], { GATEWAY_DISK_MB: "1" });
    const object = { ...objects[0], dataSet: Buffer.alloc(150_000, 7) };
    let taken = 0;
    for (let status = 0; status === 0; taken += status === 0 ? 1 : 0) {
      status = await client.store({ ...object, sopInstance: `1.2.3.${taken}` });
      if (status !== 0) expect(status).toBe(statusCodes.outOfResources);
    }
    expect(taken).toBe(6);
    expect(queue.usedBytes).toBeLessThanOrEqual(1_000_000);
    expect([lying("queue").length, lying("incoming").length]).toEqual([taken, 0]);
    const folder = path.dirname(path.dirname(queue.waiting[0].path));
    const again = await SendQueue.opened(folder, 1_000_000);
    expect(again.waiting.map(({ name }) => name)).toEqual(queue.waiting.map(({ name }) => name));
    expect(again.usedBytes).toBe(queue.usedBytes);
  });
});

describe("a gateway's settings", () => {
  it("are refused with all their errors at once", () => {
    const wrong = {
      GATEWAY_CLOUD: "http://arcada.example",
      GATEWAY_CALLING_AES: "A\\B=CT",
      GATEWAY_CA: "/nowhere.pem",
      GATEWAY_PORT: "70000",
    };
    expect(() => readGatewayConfig(wrong)).toThrow(
      /5 mistake.*CLOUD: must be https.*CA: cannot be read: ENOENT.*PORT.*CALLING_AES.*KEY: give either/s,
    );
  });

  it.skipIf(!isProgramInstalled("openssl"))(
    "let it trust an institution's certificate authority, and no other",
    async () => {
      const folder = newFolder();
      const [keyFile, certificate] = [path.join(folder, "key.pem"), path.join(folder, "ca.pem")];
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
      const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
      execFileSync("openssl", ["req", ...made, ...subject, "-keyout", keyFile, "-out", certificate], {
        stdio: "ignore",
      });
      const { listener } = await cloudStandIn(() => [200, {}]);
      const server = createSecureServer(
        { key: readFileSync(keyFile), cert: readFileSync(certificate) },
        (request, response) => void listener(request, response),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const keys = path.join(folder, "key");
      writeFileSync(keys, `${key}\n`);
      const config = (more: Record<string, string>) =>
        readGatewayConfig({
          GATEWAY_CLOUD: `https://localhost:${(server.address() as { port: number }).port}/`,
          GATEWAY_KEY_FILE: keys,
          GATEWAY_CALLING_AES: "CBCT1",
          ...more,
        });
      const [knows, doesNot] = [createCloudClient(config({ GATEWAY_CA: certificate })), createCloudClient(config({}))];
      expect((await knows.hello({})).clinic).toBe("C");
      await expect(doesNot.hello({})).rejects.toThrow(/self-signed/);
      for (const cloud of [knows, doesNot]) cloud.close();
    },
  );
});

it("a name is encoded in each character set that a device may ask for, and decodes to the same name", () => {
  const name = "Wang^Xiaoming=王^小明";
  for (const declared of [["ISO_IR 192"], ["GB18030"], ["GBK"], ["", "ISO 2022 IR 58"]])
    expect(createTextDecoder(declared)(present(encodeText(name, present(selectWritableCharset(declared)))))).toBe(name);
  expect(createTextDecoder(["ISO_IR 100"])(present(encodeText("Müller^Jörg", "ISO_IR 100")))).toBe("Müller^Jörg");
  expect([encodeText(name, "ISO_IR 100"), encodeText("㐀𠀀", "GBK"), encodeText("镕鎔", "ISO 2022 IR 58")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(selectWritableCharset(["ISO_IR 87"])).toBeNull();
});
