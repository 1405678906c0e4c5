import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GatewayProcess } from "@arcada/testing/peers/gateway-process";
import { getTestServer, setup, type AnyTestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { Installation, programPath } from "../../apps/server/src/gateway/program/installation.ts";
import { signPackage } from "../../apps/server/src/upgrade/package-signing.ts";
import { publicKeyOf } from "../../apps/server/src/platform/security/signing-key.ts";
import { streamZip } from "../../apps/server/src/platform/storage/zip-writer.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const key = `release=${publicKeyOf(privateKey)}`;
const product = "Arcada Gateway linux-x64";
const out = mkdtempSync(path.join(tmpdir(), "arcada-program-"));

let env: TestSetup;
let operator: AnyTestUser;
let installation: Installation;
let agent: GatewayProcess;

beforeAll(async () => {
  const server = await getTestServer({ PACKAGE_KEYS: key });
  env = await setup();
  operator = await server.createUser("operator");
  const script = path.join(import.meta.dirname, "../../scripts/package-gateway.ts");
  const given = ["--platform", "linux-x64", "--node", process.execPath, "--update-key", key, "--out", out];
  execFileSync(process.execPath, [script, "gateway", ...given], { stdio: "ignore" });
  const folder = readdirSync(out).find((name) => name.endsWith("linux-x64"));
  installation = new Installation(path.join(out, folder ?? "none"));
  const { secret } = await env.lab.call("interface.makeKey", { name: "exocad", scopes: ["lab.agent"], days: 30 });
  agent = new GatewayProcess(
    {
      GATEWAY_CLOUD: server.address,
      GATEWAY_KEY: secret,
      GATEWAY_LAB_FOLDER: mkdtempSync(path.join(out, "cases-")),
      GATEWAY_SETTLE_SECONDS: "1",
      GATEWAY_UPDATE_HOURS: "0.0005",
    },
    installation.at("arcada-gateway"),
  );
}, 120_000);
afterAll(async () => {
  await agent?.remove();
  rmSync(out, { recursive: true, force: true });
});

/** Publishes the present program as another version, or another script in its place. */
async function publish(version: string, script?: string): Promise<void> {
  const { current } = installation.readState();
  const folder = installation.versionFolder(current);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = names.map((entry) => {
    const at = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, at).split(path.sep).join("/");
    const own = script !== undefined && name === programPath.join("/") ? Buffer.from(script) : readFileSync(at);
    const bytes = name === "package.json" ? Buffer.from(JSON.stringify({ type: "module", version })) : own;
    return { path: name, at: new Date("2026-01-01T00:00:00Z"), bytes: bytes.length, open: () => [bytes] };
  });
  const archive = await buffer(Readable.from(streamZip(entries)));
  const { id } = await operator.call("upgrade.begin", { fileName: "update.zip", bytes: archive.length });
  await fetch(`${env.server.address}/packages/${id}`, {
    method: "PUT",
    headers: { token: operator.token, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body: new Uint8Array(archive),
  });
  const sha256 = createHash("sha256").update(archive).digest("hex");
  await expect
    .poll(async () => (await operator.call("upgrade.arrivals", {})).find((one) => one.id === id)?.sha256)
    .toBe(sha256);
  const { signature } = signPackage({ product, version, sha256, size: archive.length }, privateKey);
  await operator.call("upgrade.publish", { id, name: version, description: "x", product, version, signature });
}
const shownVersion = async (): Promise<string | undefined> =>
  (await env.lab.call("interface.keys", {}))[0]?.agent?.version;

it("runs as one program, updates itself by a signed package, and comes back from one that does not start", async () => {
  await agent.start();
  await expect.poll(shownVersion, { timeout: 20_000 }).toBe(`agent ${installation.readState().current}`);
  await publish("1.0.1");
  await expect.poll(shownVersion, { timeout: 30_000 }).toBe("agent 1.0.1");
  expect(installation.readState()).toMatchObject({ current: "1.0.1", trial: null, failed: [] });

  await publish("1.0.2", "process.exit(1);");
  await expect.poll(() => installation.readState().failed, { timeout: 30_000 }).toEqual(["1.0.2"]);
  // The supervisor dies like the machine: its program ends with it, and the next start is the version that works.
  await agent.stop("SIGKILL");
  await expect.poll(() => agent.labStatus().catch(() => null), { timeout: 10_000 }).toBeNull();
  await agent.start();
  expect((await agent.labStatus()).softwareVersion).toBe("agent 1.0.1");
  expect(installation.readState()).toMatchObject({ current: "1.0.1", trial: null });
}, 150_000);
