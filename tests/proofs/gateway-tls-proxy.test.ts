import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statusCodes } from "../../apps/server/src/dimse/command-set.ts";
import { translate } from "../../apps/server/src/platform/text/texts.ts";
import { studyRules } from "@arcada/contract/study/study.rules";
import { DimseClient, readDicomObject, type DicomObject } from "@arcada/testing/clients/dimse-client";
import {
  UnreliableConnection,
  GatewayProcess,
  isProgramInstalled,
  startAbsoluteLocationProxy,
} from "@arcada/testing/peers/gateway-process";
import { freePort } from "@arcada/testing/setup/product-process";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";

const isFull = process.env.ARCADA_PROOF === "full";
const nginx = "/usr/sbin/nginx";
const hasNginx = isProgramInstalled(nginx) && isProgramInstalled("openssl");
const folder = path.join(tmpdir(), `arcada-gateway-line-${process.pid}`);
const inFolder = (name: string): string => path.join(folder, name);

let clinicAndLab: TestSetup;
let key: string;
beforeAll(async () => {
  mkdirSync(folder);
  clinicAndLab = await setup();
  const service = await clinicAndLab.server.createUser("afterSalesAdmin");
  const serialNumber = "LINE-1";
  const { activationCode } = await service.call("device.register", { product: "CBCT", serialNumber, model: "C1" });
  key = (await clinicAndLab.clinic.call("device.bind", { serialNumber, activationCode, name: "Scanner" })).key;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cloudPort = () => Number(new URL(clinicAndLab.server.address).port);
const imageClass = "1.2.840.10008.5.1.4.1.1.2";
/** A study of one slice. */
function createSlice(name: string): DicomObject {
  const patient = { id: name, name: `${name}^A`, sex: "M", birthDate: "19800412" } as const;
  const [file] = [
    ...createCbctFiles(makeHead(name), patient, { size: { columns: 64, rows: 64, slices: 1, voxel: 2 } }),
  ];
  return readDicomObject(file.bytes, imageClass, readDicomHeader(readDicom(file.bytes)).sopInstanceUid);
}
/** Creates a slice with the element (7FE1,1001) of an odd group, which no reader uses, as large as a volume. */
function createLargeSlice(name: string, size: number): DicomObject {
  const slice = createSlice(name);
  const ballast = Buffer.alloc(12 + size * 1e6, 1);
  ballast.set([0xe1, 0x7f, 0x01, 0x10, 0x4f, 0x42, 0, 0]);
  ballast.writeUInt32LE(ballast.length - 12, 8);
  return { ...slice, dataSet: Buffer.concat([slice.dataSet, ballast]) };
}
const countInbox = async () => (await clinicAndLab.clinic.call("study.inbox", {})).total;

/** A self-signed certificate for localhost: its own authority, as an institution may have one. */
function createCertificate(name: string, days: number): { certificate: string; privateKey: string } {
  const [request, certificate, privateKey] = [
    inFolder(`${name}.csr`),
    inFolder(`${name}.pem`),
    inFolder(`${name}.key`),
  ];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", ["req", "-new", ...kind, ...subject, "-keyout", privateKey, "-out", request], {
    stdio: "ignore",
  });
  const signing = ["-signkey", privateKey, "-days", String(days), "-copy_extensions", "copy", "-out", certificate];
  execFileSync("openssl", ["x509", "-req", "-in", request, ...signing], { stdio: "ignore" });
  return { certificate, privateKey };
}

/** nginx in front of Arcada, configured as the docs describe. */
class NginxProxy {
  readonly port: number;
  #child: ChildProcess | undefined;
  constructor(port: number) {
    this.port = port;
  }
  async start(identity: ReturnType<typeof createCertificate>, location: string): Promise<void> {
    await this.stop();
    writeFileSync(
      inFolder("nginx.conf"),
      `pid ${inFolder("nginx.pid")}; error_log stderr crit; daemon off; events {}
       http { access_log off; client_body_temp_path ${inFolder("body")}; proxy_temp_path ${inFolder("proxy")};
         fastcgi_temp_path ${inFolder("f")}; uwsgi_temp_path ${inFolder("u")}; scgi_temp_path ${inFolder("s")};
         server { listen 127.0.0.1:${this.port} ssl; client_max_body_size 0;
           ssl_certificate ${identity.certificate}; ssl_certificate_key ${identity.privateKey};
           location / { ${location} } } }`,
    );
    const child = spawn(nginx, ["-p", folder, "-c", inFolder("nginx.conf")], { stdio: "ignore" });
    this.#child = child;
    await expect
      .poll(() => fetch(`https://localhost:${this.port}/`).catch((error: Error) => (error.cause as Error).message), {
        timeout: 20_000,
      })
      .not.toContain("ECONNREFUSED");
  }
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

describe.skipIf(!hasNginx)("a gateway behind a real TLS proxy", () => {
  it(
    "queues objects while the proxy answers only with pages or its certificate has expired, reports why, and then sends them all",
    { timeout: 120_000 },
    async () => {
      const [good, over] = [createCertificate("good", 2), createCertificate("over", -1)];
      const passed = `proxy_pass http://127.0.0.1:${cloudPort()}; proxy_request_buffering off;`;
      const page = (status: number) => `default_type text/html; return ${status} "<html><h1>${status}</h1></html>";`;
      writeFileSync(inFolder("house.pem"), "");
      execFileSync("sh", ["-c", `cat ${good.certificate} ${over.certificate} > ${inFolder("house.pem")}`]);
      const proxy = new NginxProxy(await freePort());
      const gateway = new GatewayProcess({
        GATEWAY_CLOUD: `https://localhost:${proxy.port}`,
        GATEWAY_KEY: key,
        GATEWAY_CALLING_AES: "CBCT1",
        GATEWAY_CA: inFolder("house.pem"),
        GATEWAY_PAUSE_SECONDS: "0.5",
      });
      try {
        await proxy.start(good, passed);
        await gateway.start();
        const { client } = await DimseClient.associate({ port: gateway.port });
        const stores = async (name: string) => expect(await client.store(createSlice(name))).toBe(0);
        const waiting = async () => (await gateway.status()).waiting.count;
        const trouble = async () => (await gateway.status()).trouble;
        await stores("a");
        await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
        for (const [status, name] of [
          [502, "bb"],
          [503, "ccc"],
        ] as const) {
          await proxy.start(good, page(status));
          await stores(name);
          await expect
            .poll(trouble, { timeout: 20_000 })
            .toMatchObject({ kind: "away", code: 0, message: `answered ${status}` });
        }
        await proxy.start(good, page(200));
        await expect.poll(trouble, { timeout: 20_000 }).toMatchObject({ kind: "refused", message: "answered 200" });
        await proxy.start(over, passed);
        await stores("dddd");
        await expect
          .poll(trouble, { timeout: 20_000 })
          .toMatchObject({ kind: "away", message: expect.stringMatching(/certificate has expired/) });
        expect(await waiting()).toBe(3);
        client.socket.destroy();
        // The gateway keeps its data about Arcada over a restart without a connection.
        const before = await gateway.status();
        await gateway.stop("SIGKILL");
        await gateway.start();
        const after = await gateway.status();
        expect(after).toMatchObject({ device: { name: "Scanner" }, lastSuccess: before.lastSuccess });
        expect([before.lastSuccess === null, after.waiting.count]).toEqual([false, 3]);
        await proxy.start(good, passed);
        await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
        // The trouble is cleared once the last answer has been read.
        await expect.poll(trouble).toBeNull();
        await expect.poll(countInbox, { timeout: 30_000 }).toBe(4);
      } finally {
        await gateway.remove();
        await proxy.stop();
      }
    },
  );
});

const megabytes = isFull ? 600 : 8;
it(
  `an object of ${megabytes} MB resumes after a broken connection and a killed gateway, whatever address a proxy returns, and resends little`,
  { timeout: 600_000 },
  async () => {
    const proxy = await startAbsoluteLocationProxy(cloudPort());
    const line = await UnreliableConnection.to(proxy.port);
    const gateway = new GatewayProcess({
      GATEWAY_CLOUD: `http://127.0.0.1:${line.port}`,
      GATEWAY_KEY: key,
      GATEWAY_CALLING_AES: "CBCT1",
      GATEWAY_RESUME_MB: "1",
    });
    try {
      await gateway.start();
      const before = await countInbox();
      const object = createLargeSlice("large", megabytes);
      const bytes = object.dataSet.length;
      line.breakConnections(4, bytes / 8, bytes / 4);
      const { client } = await DimseClient.associate({ port: gateway.port });
      expect(await client.store(object)).toBe(0);
      client.socket.destroy();
      await expect.poll(() => line.breakCount, { timeout: 120_000 }).toBeGreaterThan(1);
      await gateway.stop("SIGKILL");
      await gateway.start();
      await expect.poll(async () => (await gateway.status()).waiting.count, { timeout: 300_000 }).toBe(0);
      await expect.poll(countInbox, { timeout: 120_000 }).toBe(before + 1);
      console.info(
        `${megabytes} MB, ${line.breakCount} cuts and a kill: ${(line.bytesToServer / bytes).toFixed(2)} times its size went over the line`,
      );
      expect(line.bytesToServer).toBeLessThan(bytes * 1.6);
      expect((await gateway.status()).failed).toEqual([]);
      expect(proxy.locations.length).toBeGreaterThan(0);
    } finally {
      await gateway.remove();
      line.close();
      proxy.close();
    }
  },
);

it(
  "an object too large for Arcada is refused before any of its bytes is sent, stays at the gateway, and blocks nothing",
  { timeout: 120_000 },
  async () => {
    const line = await UnreliableConnection.to(cloudPort());
    const gateway = new GatewayProcess({
      GATEWAY_CLOUD: `http://127.0.0.1:${line.port}`,
      GATEWAY_KEY: key,
      GATEWAY_CALLING_AES: "CBCT1",
      // The object that is already in the queue uses up the quota except for 3 MB.
      GATEWAY_DISK_MB: String(studyRules.fileBytes / 1e6 + 3),
    });
    try {
      const queue = path.join(gateway.folder, "queue");
      mkdirSync(queue);
      const uid = "1.2.826.0.1.3680043.10.1.1";
      const file = path.join(queue, `000000000001-${uid}.dcm`);
      writeFileSync(file, "");
      // A sparse file, which takes no space on the disk.
      truncateSync(file, studyRules.fileBytes + 1);
      const before = await countInbox();
      line.cut();
      await gateway.start();
      const { client } = await DimseClient.associate({ port: gateway.port });
      // A device also gets an error if there is no space for its object; an object that fits is accepted.
      expect(await client.store(createLargeSlice("no room", 4))).toBe(statusCodes.outOfResources);
      expect(await client.store(createSlice("small"))).toBe(0);
      client.socket.destroy();
      expect((await gateway.status()).waiting.count).toBe(2);
      line.restore();
      await expect.poll(async () => (await gateway.status()).waiting.count, { timeout: 60_000 }).toBe(0);
      await expect.poll(countInbox, { timeout: 60_000 }).toBe(before + 1);
      expect((await gateway.status()).failed).toEqual([{ uid, reason: "tooLarge" }]);
      await expect.poll(async () => (await gateway.status()).trouble, { timeout: 20_000 }).toBeNull();
      expect(line.bytesToServer).toBeLessThan(1e6);
      const asked = { accept: "text/html", "accept-language": "zh" };
      const page = await (await fetch(`http://127.0.0.1:${gateway.statusPort}/`, { headers: asked })).text();
      expect(page).toContain(translate("zh", "gateway", "tooLarge"));
    } finally {
      await gateway.remove();
      line.close();
    }
  },
);
