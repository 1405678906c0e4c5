import { statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { isProxyInstalled, readAnswer, startProxy, type ProxyServer } from "@arcada/testing/peers/nginx-caddy-proxy";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

describe.each(["nginx", "caddy"] as const)("the example of %s", (program) => {
  const isMissing = !isProxyInstalled(program);
  if (isMissing) console.info(`The proof of ${program} is skipped: the program is not installed`);

  describe.skipIf(isMissing)("in front of the product", () => {
    let product: Product;
    let proxy: ProxyServer;
    let token: string;
    beforeAll(async () => {
      const ports = { http: await freePort(), https: await freePort(), server: await freePort() };
      product = new Product({ PUBLIC_URL: `https://localhost:${ports.https}`, TRUST_PROXY: "on", METRICS_TOKEN: "" });
      product.port = ports.server;
      await product.start();
      proxy = await startProxy(program, ports);
      const registered = await product.register(`${program}@proxy.test`, "clinicManager");
      const clinic = { name: "Proxy", type: "clinic", country: "CN" } as const;
      const { id } = await product.call(institutionCalls.create, clinic, { token: registered });
      ({ token } = await product.call(institutionCalls.switch, { iid: id }, { token: registered }));
    });
    afterAll(async () => {
      await proxy?.stop();
      await product?.remove();
    });
    const ask = async (method: string, at: string, headers: Record<string, string> = {}, body = "") => {
      const { request, answer } = proxy.open(method, at, headers);
      request.end(body);
      return readAnswer(await answer);
    };

    it("serves the pages with secure cookies and HSTS", async () => {
      const { status, headers } = await ask("GET", "/livez");
      expect([status, headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"]);
    });

    it("passes an event on within a second", async () => {
      const { request, answer } = proxy.open("GET", "/v1/notice/stream", { token });
      request.end();
      const stream = await answer;
      let text = "";
      stream.on("data", (chunk: Buffer) => void (text += chunk.toString()));
      const patient = { name: "Live", sex: "other", birthDate: "1990-01-01" } as const;
      const { id } = await product.call(patientCalls.create, patient, { token });
      const began = Date.now();
      await vi.waitFor(() => expect(text).toContain(id), { timeout: 20_000, interval: 10 });
      expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(1000);
      stream.destroy();
    });

    it("passes an upload on while it arrives", async () => {
      const half = 3 * 1024 * 1024;
      const common = { token, "tus-resumable": "1.0.0" };
      const made = await ask("POST", "/uploads", {
        ...common,
        "upload-length": String(2 * half),
        "upload-metadata": `filename ${Buffer.from("scan.dcm").toString("base64")}`,
      });
      expect([made.status, made.headers.location]).toEqual([201, expect.stringMatching(/\/uploads\/[\w-]{36}$/)]);
      const at = new URL(made.headers.location ?? "", product.address).pathname;
      const { request, answer } = proxy.open("PATCH", at, {
        ...common,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
        "content-length": String(2 * half),
      });
      request.write(Buffer.alloc(half, 1));
      const file = path.join(product.folder, "uploads", path.basename(at));
      await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(half / 2), { timeout: 5000 });
      request.end(Buffer.alloc(half, 2));
      expect((await readAnswer(await answer)).status).toBe(204);
    });

    /** Returns the status of a request that only begins: it depends on the declared length and the missing token. */
    const begin = async (bytes: number) => {
      const { request, answer } = proxy.open("POST", "/dicomweb/studies", {
        "content-type": 'multipart/related; type="application/dicom"; boundary=x',
        "content-length": String(bytes),
      });
      request.on("error", () => {});
      // A client sends on until it is answered. Caddy passes an early answer on only when more of the body arrives.
      const sending = setInterval(() => request.write(Buffer.alloc(64 * 1024, "x")), 50);
      onTestFinished(() => clearInterval(sending));
      const { statusCode } = await answer;
      clearInterval(sending);
      request.destroy();
      return statusCode;
    };

    it("passes a request of 4 GB on", async () => {
      expect(await begin(4 * 1024 ** 3)).toBe(401);
    });

    // Caddy counts the bytes that arrive and does not look at the declared length.
    it.runIf(program === "nginx")("refuses a larger request before it arrives", async () => {
      expect(await begin(4 * 1024 ** 3 + 1)).toBe(413);
    });

    it("believes no address that a client states", async () => {
      const forged = {
        "x-forwarded-for": "198.51.100.66",
        "x-forwarded-host": "evil.test",
        "x-forwarded-proto": "http",
      };
      const { text } = await ask("GET", "/fhir/metadata", forged);
      expect(text).toContain("https://localhost");
      expect(text).not.toContain("evil.test");
    });

    it("hides the figures of operation", async () => {
      expect((await ask("GET", "/metrics")).status).toBe(404);
    });
  });
});
