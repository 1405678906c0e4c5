import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statuses } from "../../apps/server/src/dimse/command.ts";
import { textOf } from "../../apps/server/src/platform/text/texts.ts";
import { studyRules } from "@arcada/contract/study/study.rules";
import { DimseClient, objectIn, type Sent } from "../dimse-client.ts";
import { BadLine, Gateway, isInstalled, wordyProxy } from "../gateway-peer.ts";
import { freePort } from "../product.ts";
import { headerOf } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import { world, type World } from "../world.ts";

const isFull = process.env.ARCADA_PROOF === "full";
const nginx = "/usr/sbin/nginx";
const hasNginx = isInstalled(nginx) && isInstalled("openssl");
const folder = path.join(tmpdir(), `arcada-gateway-line-${process.pid}`);
const at = (name: string): string => path.join(folder, name);

let here: World;
let key: string;
beforeAll(async () => {
  mkdirSync(folder);
  here = await world();
  const service = await here.server.person("afterSalesAdmin");
  const serialNumber = "LINE-1";
  const { activationCode } = await service.gets("device.register", { product: "CBCT", serialNumber, model: "C1" });
  key = (await here.clinic.gets("device.bind", { serialNumber, activationCode, name: "Scanner" })).key;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cloudPort = () => Number(new URL(here.server.running.address!).port);
const imageClass = "1.2.840.10008.5.1.4.1.1.2";
/** A study of one slice. */
function sliceOf(name: string): Sent {
  const patient = { id: name, name: `${name}^A`, sex: "M", birthDate: "19800412" } as const;
  const [file] = [...cbctFiles(makeHead(name), patient, { size: { columns: 64, rows: 64, slices: 1, voxel: 2 } })];
  return objectIn(file!.bytes, imageClass, headerOf(readDicom(file!.bytes)).sopInstanceUid);
}
/** A slice with (7FE1,1001), of an odd group: what no reader looks at, as large as a volume. */
function largeOf(name: string, size: number): Sent {
  const slice = sliceOf(name);
  const ballast = Buffer.alloc(12 + size * 1e6, 1);
  ballast.set([0xe1, 0x7f, 0x01, 0x10, 0x4f, 0x42, 0, 0]);
  ballast.writeUInt32LE(ballast.length - 12, 8);
  return { ...slice, dataSet: Buffer.concat([slice.dataSet, ballast]) };
}
const inbox = async () => (await here.clinic.gets("study.inbox", {})).total;

/** A self-signed certificate for localhost: its own authority, as an institution may have one. */
function certified(name: string, days: number): { certificate: string; privateKey: string } {
  const [request, certificate, privateKey] = [at(`${name}.csr`), at(`${name}.pem`), at(`${name}.key`)];
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
class Proxy {
  readonly port: number;
  #child: ChildProcess | undefined;
  constructor(port: number) {
    this.port = port;
  }
  async serves(identity: ReturnType<typeof certified>, location: string): Promise<void> {
    await this.stop();
    writeFileSync(
      at("nginx.conf"),
      `pid ${at("nginx.pid")}; error_log stderr crit; daemon off; events {}
       http { access_log off; client_body_temp_path ${at("body")}; proxy_temp_path ${at("proxy")};
         fastcgi_temp_path ${at("f")}; uwsgi_temp_path ${at("u")}; scgi_temp_path ${at("s")};
         server { listen 127.0.0.1:${this.port} ssl; client_max_body_size 0;
           ssl_certificate ${identity.certificate}; ssl_certificate_key ${identity.privateKey};
           location / { ${location} } } }`,
    );
    const child = spawn(nginx, ["-p", folder, "-c", at("nginx.conf")], { stdio: "ignore" });
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
    "keeps what comes while the proxy has only pages to say or its certificate is over, and says why; then all of it goes",
    { timeout: 120_000 },
    async () => {
      const [good, over] = [certified("good", 2), certified("over", -1)];
      const passed = `proxy_pass http://127.0.0.1:${cloudPort()}; proxy_request_buffering off;`;
      const page = (status: number) => `default_type text/html; return ${status} "<html><h1>${status}</h1></html>";`;
      writeFileSync(at("house.pem"), "");
      execFileSync("sh", ["-c", `cat ${good.certificate} ${over.certificate} > ${at("house.pem")}`]);
      const proxy = new Proxy(await freePort());
      const gateway = new Gateway({
        GATEWAY_CLOUD: `https://localhost:${proxy.port}`,
        GATEWAY_KEY: key,
        GATEWAY_CALLING_AES: "CBCT1",
        GATEWAY_CA: at("house.pem"),
        GATEWAY_PAUSE_SECONDS: "0.5",
      });
      try {
        await proxy.serves(good, passed);
        await gateway.start();
        const { client } = await DimseClient.calls({ port: gateway.port });
        const stores = async (name: string) => expect(await client.stores(sliceOf(name))).toBe(0);
        const waiting = async () => (await gateway.status()).waiting.count;
        const trouble = async () => (await gateway.status()).trouble;
        await stores("a");
        await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
        for (const [status, name] of [
          [502, "bb"],
          [503, "ccc"],
        ] as const) {
          await proxy.serves(good, page(status));
          await stores(name);
          await expect
            .poll(trouble, { timeout: 20_000 })
            .toMatchObject({ kind: "away", code: 0, message: `answered ${status}` });
        }
        await proxy.serves(good, page(200));
        await expect.poll(trouble, { timeout: 20_000 }).toMatchObject({ kind: "refused", message: "answered 200" });
        await proxy.serves(over, passed);
        await stores("dddd");
        await expect
          .poll(trouble, { timeout: 20_000 })
          .toMatchObject({ kind: "away", message: expect.stringMatching(/certificate has expired/) });
        expect(await waiting()).toBe(3);
        client.socket.destroy();
        // The gateway keeps its data about Arcada over a restart without a connection.
        const before = await gateway.status();
        await gateway.ends("SIGKILL");
        await gateway.start();
        const after = await gateway.status();
        expect(after).toMatchObject({ device: { name: "Scanner" }, lastSuccess: before.lastSuccess });
        expect([before.lastSuccess === null, after.waiting.count]).toEqual([false, 3]);
        await proxy.serves(good, passed);
        await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
        // The trouble is cleared once the last answer has been read.
        await expect.poll(trouble).toBeNull();
        await expect.poll(inbox, { timeout: 30_000 }).toBe(4);
      } finally {
        await gateway.remove();
        await proxy.stop();
      }
    },
  );
});

const megabytes = isFull ? 600 : 8;
it(
  `an object of ${megabytes} MB goes on where the line broke and the gateway was killed, whatever address a proxy tells: little of it goes twice`,
  { timeout: 600_000 },
  async () => {
    const proxy = await wordyProxy(cloudPort());
    const line = await BadLine.to(proxy.port);
    const gateway = new Gateway({
      GATEWAY_CLOUD: `http://127.0.0.1:${line.port}`,
      GATEWAY_KEY: key,
      GATEWAY_CALLING_AES: "CBCT1",
      GATEWAY_RESUME_MB: "1",
    });
    try {
      await gateway.start();
      const before = await inbox();
      const object = largeOf("large", megabytes);
      const bytes = object.dataSet.length;
      line.breaks(4, bytes / 8, bytes / 4);
      const { client } = await DimseClient.calls({ port: gateway.port });
      expect(await client.stores(object)).toBe(0);
      client.socket.destroy();
      await expect.poll(() => line.cuts, { timeout: 120_000 }).toBeGreaterThan(1);
      await gateway.ends("SIGKILL");
      await gateway.start();
      await expect.poll(async () => (await gateway.status()).waiting.count, { timeout: 300_000 }).toBe(0);
      await expect.poll(inbox, { timeout: 120_000 }).toBe(before + 1);
      console.info(
        `${megabytes} MB, ${line.cuts} cuts and a kill: ${(line.carriedBytes / bytes).toFixed(2)} times its size went over the line`,
      );
      expect(line.carriedBytes).toBeLessThan(bytes * 1.6);
      expect((await gateway.status()).failed).toEqual([]);
      expect(proxy.told.length).toBeGreaterThan(0);
    } finally {
      await gateway.remove();
      line.close();
      proxy.close();
    }
  },
);

it(
  "what is too large for Arcada is told so before a byte of it goes, stays at the gateway, and holds up nothing",
  { timeout: 120_000 },
  async () => {
    const line = await BadLine.to(cloudPort());
    const gateway = new Gateway({
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
      const before = await inbox();
      line.cut();
      await gateway.start();
      const { client } = await DimseClient.calls({ port: gateway.port });
      // A device also gets an error if there is no space for its object; an object that fits is accepted.
      expect(await client.stores(largeOf("no room", 4))).toBe(statuses.outOfResources);
      expect(await client.stores(sliceOf("small"))).toBe(0);
      client.socket.destroy();
      expect((await gateway.status()).waiting.count).toBe(2);
      line.mend();
      await expect.poll(async () => (await gateway.status()).waiting.count, { timeout: 60_000 }).toBe(0);
      await expect.poll(inbox, { timeout: 60_000 }).toBe(before + 1);
      expect((await gateway.status()).failed).toEqual([{ uid, reason: "tooLarge" }]);
      await expect.poll(async () => (await gateway.status()).trouble, { timeout: 20_000 }).toBeNull();
      expect(line.carriedBytes).toBeLessThan(1e6);
      const asked = { accept: "text/html", "accept-language": "zh" };
      const page = await (await fetch(`http://127.0.0.1:${gateway.statusPort}/`, { headers: asked })).text();
      expect(page).toContain(textOf("zh", "gateway", "tooLarge"));
    } finally {
      await gateway.remove();
      line.close();
    }
  },
);
