import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { agentProgramCalls, upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { setup, getTestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import { callCloud } from "../gateway/cloud-calls.ts";
import { openConnection } from "../gateway/cloud-connection.ts";
import { readGatewayConfig } from "../gateway/gateway.config.ts";
import { Installation, programPath } from "../gateway/program/installation.ts";
import { installPackage } from "../gateway/program/program-update.ts";
import { publicKeyOf } from "../platform/security/signing-key.ts";
import { streamZip } from "../platform/storage/zip-writer.ts";
import { signPackage } from "./package-signing.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const product = "Arcada Gateway linux-x64";
const script = Buffer.from(`// ${"x".repeat(300_000)}\n`);

let env: TestSetup;
let deviceKey: string;
let agentKey: string;

beforeAll(async () => {
  const server = await getTestServer({ PACKAGE_KEYS: `release=${publicKeyOf(privateKey)}` });
  env = await setup();
  const operator = await server.createUser("operator");
  const service = await server.createUser("afterSalesAdmin");
  const registered = { product: "Arcada Scan", serialNumber: `GP-${Date.now()}`, model: "S1" };
  const { activationCode } = await service.call("device.register", registered);
  const { serialNumber } = registered;
  deviceKey = (await env.clinic.call("device.bind", { serialNumber, activationCode, name: "Scanner" })).key;
  agentKey = (await env.lab.call("interface.makeKey", { name: "exocad", scopes: ["lab.agent"], days: 30 })).secret;

  const at = new Date("2026-01-01T00:00:00Z");
  const entry = { path: programPath.join("/"), at, bytes: script.length, open: () => [script] };
  const archive = await buffer(Readable.from(streamZip([entry])));
  const { id } = await operator.call("upgrade.begin", { fileName: "gateway.update.zip", bytes: archive.length });
  await fetch(`${server.address}/packages/${id}`, {
    method: "PUT",
    headers: { token: operator.token, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body: new Uint8Array(archive),
  });
  const sha256 = createHash("sha256").update(archive).digest("hex");
  await vi.waitFor(
    async () => {
      const arrivals = await operator.call("upgrade.arrivals", {});
      if (arrivals.find((one) => one.id === id)?.sha256 !== sha256) throw new Error("not stored yet");
    },
    { timeout: 20_000, interval: 100 },
  );
  const { signature } = signPackage({ product, version: "1.1.0", sha256, size: archive.length }, privateKey);
  await operator.call("upgrade.publish", { id, name: "1.1", description: "x", product, version: "1.1.0", signature });
});

const connect = (key: string, more: Record<string, string>) =>
  openConnection(readGatewayConfig({ GATEWAY_CLOUD: env.server.address, GATEWAY_KEY: key, ...more }));

describe("a package of the gateway", () => {
  it.each(["a clinic's gateway", "a laboratory's agent"])("is offered to %s and installed by it", async (who) => {
    const isAgent = who === "a laboratory's agent";
    const { ask, download, close } = isAgent
      ? connect(agentKey, { GATEWAY_LAB_FOLDER: "cases" })
      : connect(deviceKey, { GATEWAY_WATCH: "scans=IOS" });
    onTestFinished(close);
    const call = isAgent ? agentProgramCalls.program : upgradeCalls.latest;
    const findLatest = async (version: string) => (await callCloud(ask, call, { product, version })).package;
    expect(await findLatest("1.1.0")).toBeNull();
    const root = mkdtempSync(path.join(tmpdir(), "arcada-home-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const installation = new Installation(root);
    mkdirSync(installation.at("versions"));
    writeFileSync(installation.at("state.json"), JSON.stringify({ current: "1.0.0" }));
    writeFileSync(installation.at("update-keys.txt"), `release=${publicKeyOf(privateKey)}\n`);
    const offered = present(await findLatest("1.0.0"));
    expect(await installPackage(installation, offered, { product, version: "1.0.0" }, download)).toBe(true);
    expect(readFileSync(installation.program("1.1.0")).equals(script)).toBe(true);
  });

  it("is not served to a key without the agent's scope, and packages of devices are not served to an agent", async () => {
    const { secret } = await env.lab.call("interface.makeKey", { name: "x", scopes: ["orders.read"], days: 30 });
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const input = { product, version: "1.0.0" };
    expect(refusalOf(await env.server.ask("agent.program", input, bearer(secret)))).toBe("keyScopeMissing");
    const { data } = await env.server.ask("agent.program", input, bearer(agentKey));
    const { url } = present(data.package);
    expect((await fetch(`${env.server.address}${url}`, { headers: bearer(secret) })).status).toBe(403);
    const other = { product: "Arcada Scan", version: "1.0.0" };
    expect(refusalOf(await env.server.ask("agent.program", other as never, bearer(agentKey)))).toBe("badInput");
  });
});
