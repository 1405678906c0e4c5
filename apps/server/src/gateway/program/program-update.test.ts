import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { manifestText } from "@arcada/contract/upgrade/upgrade.rules";
import { publicKeyOf } from "../../platform/security/signing-key.ts";
import { streamZip } from "../../platform/storage/zip-writer.ts";
import type { OpenDownload } from "../cloud-connection.ts";
import { healthyMessage, Installation, parseSettings, programPath, restartCode } from "./installation.ts";
import { installPackage, removeOldVersions, type OfferedPackage } from "./program-update.ts";
import { Supervisor } from "./supervisor.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const product = "Arcada Gateway linux-x64";
const current = { version: "1.0.0", product };

/** A program that says that it is healthy, writes its version down, and runs until it is stopped. */
const goodProgram = (version: string): string => `
import { appendFileSync } from "node:fs";
appendFileSync("started.log", "${version}\\n");
process.send?.("${healthyMessage}");
setInterval(() => {}, 1000);
process.on("SIGTERM", () => process.exit(0));`;

function createInstallation(script = goodProgram("1.0.0")): Installation {
  const root = mkdtempSync(path.join(tmpdir(), "arcada-program-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const installation = new Installation(root);
  writeProgram(installation, "1.0.0", script);
  writeFileSync(installation.at("state.json"), JSON.stringify({ current: "1.0.0" }));
  writeFileSync(installation.at("update-keys.txt"), `release=${publicKeyOf(privateKey)}\n`);
  return installation;
}
function writeProgram(installation: Installation, version: string, script: string): void {
  mkdirSync(path.dirname(installation.program(version)), { recursive: true });
  writeFileSync(installation.program(version), script);
}

async function createPackage(version: string, script = goodProgram(version), more: Partial<OfferedPackage> = {}) {
  const bytes = Buffer.from(script);
  const at = new Date("2026-01-01T00:00:00Z");
  const entry = { path: programPath.join("/"), at, bytes: bytes.length, open: () => [bytes] };
  const archive = await buffer(Readable.from(streamZip([entry])));
  const manifest = {
    product,
    version,
    sha256: createHash("sha256").update(archive).digest("hex"),
    size: archive.length,
  };
  const signature = sign(null, Buffer.from(manifestText(manifest)), privateKey).toString("base64");
  return { archive, offered: { ...manifest, signature, url: "/packages/1/x.zip", ...more } };
}
/** Serves an archive, or only its first bytes. */
const serve =
  (archive: Buffer, until = archive.length): OpenDownload =>
  async () =>
    Object.assign(Readable.from([archive.subarray(0, until)]), {
      statusCode: 200,
      headers: {},
    }) as unknown as IncomingMessage;

describe("a package of the gateway's own program", () => {
  it("is installed beside the present version and waits for its trial", async () => {
    const installation = createInstallation();
    const { archive, offered } = await createPackage("1.1.0");
    expect(await installPackage(installation, offered, current, serve(archive))).toBe(true);
    expect(installation.readState()).toMatchObject({ current: "1.0.0", trial: { version: "1.1.0", starts: 0 } });
    expect(readFileSync(installation.program("1.1.0"), "utf8")).toBe(goodProgram("1.1.0"));
    expect(await installPackage(installation, offered, current, serve(archive))).toBe(false);
  });

  it.each([
    ["with another key's signature", { signature: Buffer.alloc(64, 7).toString("base64") }, /no key/],
    ["of another product", { product: "Arcada Gateway win-x64" }, /is for/],
    ["with another version than was signed", { version: "1.1.1" }, /no key/],
  ])("is refused %s", async (_, change, message) => {
    const installation = createInstallation();
    const { archive, offered } = await createPackage("1.1.0", undefined, change);
    await expect(installPackage(installation, offered, current, serve(archive))).rejects.toThrow(message);
    expect([installation.readState().trial, readdirSync(installation.at("versions"))]).toEqual([null, ["1.0.0"]]);
  });

  it.each(["0.9.0", "1.0.0", "1.0.0-rc.1"])(
    "is refused as version %s, which is not above the present one",
    async (version) => {
      const installation = createInstallation();
      const { archive, offered } = await createPackage(version);
      await expect(installPackage(installation, offered, current, serve(archive))).rejects.toThrow(/not above/);
    },
  );

  it("is refused when it is cut off, changed or longer than was signed, and taken afterwards", async () => {
    const installation = createInstallation();
    const { archive, offered } = await createPackage("1.1.0");
    const install = (download: OpenDownload) => installPackage(installation, offered, current, download);
    await expect(install(serve(archive, 100))).rejects.toThrow(/cut off/);
    const changed = Buffer.from(archive);
    changed.writeUInt8(changed.readUInt8(120) ^ 1, 120);
    await expect(install(serve(changed))).rejects.toThrow(/not what was signed/);
    await expect(install(serve(Buffer.concat([archive, archive])))).rejects.toThrow(/more than it announced/);
    expect(readdirSync(installation.at("versions"))).toEqual(["1.0.0"]);
    expect(await install(serve(archive))).toBe(true);
  });

  it("is installed over what a kill in the middle of the unpacking left behind", async () => {
    const installation = createInstallation();
    for (const name of ["1.1.0", "1.1.0.part"]) {
      mkdirSync(installation.at("versions", name, "apps"), { recursive: true });
      writeFileSync(installation.at("versions", name, "half"), "x");
    }
    const { archive, offered } = await createPackage("1.1.0");
    expect(await installPackage(installation, offered, current, serve(archive))).toBe(true);
    expect(existsSync(installation.at("versions/1.1.0/half"))).toBe(false);
    await removeOldVersions(installation);
    expect(readdirSync(installation.at("versions")).toSorted()).toEqual(["1.0.0", "1.1.0"]);
  });
});

describe("the supervisor of an installed gateway", () => {
  /** Runs the supervisor until the state is as wanted. */
  async function runUntil(installation: Installation, isReached: () => boolean, trialMs = 1500): Promise<string[]> {
    const said: string[] = [];
    const supervisor = new Supervisor(installation, { trialMs, log: (line) => said.push(line) });
    const over = supervisor.run();
    onTestFinished(async () => {
      supervisor.stop();
      await over;
    });
    await expect.poll(isReached, { timeout: 15_000 }).toBe(true);
    supervisor.stop();
    await over;
    return said;
  }
  const started = (installation: Installation): string[] =>
    existsSync(installation.at("started.log"))
      ? readFileSync(installation.at("started.log"), "utf8").trim().split("\n")
      : [];

  async function withTrial(script: string): Promise<Installation> {
    const installation = createInstallation();
    writeProgram(installation, "1.1.0", script);
    await installation.writeState({ ...installation.readState(), trial: { version: "1.1.0", starts: 0 } });
    return installation;
  }

  it("keeps a new version that becomes healthy, with the version before", async () => {
    const installation = await withTrial(goodProgram("1.1.0"));
    await runUntil(installation, () => installation.readState().trial === null);
    expect(installation.readState()).toMatchObject({ current: "1.1.0", previous: "1.0.0", failed: [] });
    expect(started(installation)).toEqual(["1.1.0"]);
  });

  it.each([
    ["ends at once", "process.exit(1)"],
    ["hangs", "setInterval(() => {}, 1000)"],
    ["cannot be read", "this is no program"],
  ])("goes back to the version before when a new one %s, and never tries it again", async (_, script) => {
    const installation = await withTrial(script);
    const said = await runUntil(installation, () => started(installation).includes("1.0.0"));
    expect(installation.readState()).toMatchObject({ current: "1.0.0", trial: null, failed: ["1.1.0"] });
    expect(said.join()).toMatch(/1\.1\.0 did not become healthy .*1\.0\.0 runs again/);
    const { archive, offered } = await createPackage("1.1.0");
    expect(await installPackage(installation, offered, current, serve(archive))).toBe(false);
  });

  it("gives a new version a second start after a kill in its trial, and no third", async () => {
    const installation = await withTrial(goodProgram("1.1.0"));
    await installation.writeState({ ...installation.readState(), trial: { version: "1.1.0", starts: 2 } });
    await runUntil(installation, () => started(installation).length > 0);
    expect([started(installation), installation.readState().failed]).toEqual([["1.0.0"], ["1.1.0"]]);
  });

  it("starts a program again at once that asks for it, on its newly installed version", async () => {
    const installation = createInstallation(`
import { existsSync, writeFileSync } from "node:fs";
writeFileSync("state.json", JSON.stringify({ current: "1.0.0", trial: { version: "1.1.0", starts: 0 } }));
process.exit(${restartCode});`);
    writeProgram(installation, "1.1.0", goodProgram("1.1.0"));
    await runUntil(installation, () => installation.readState().current === "1.1.0");
    expect(started(installation)).toEqual(["1.1.0"]);
  });
});

it("reads settings with Windows paths, comments and a byte order mark as they are", () => {
  expect(parseSettings("\uFEFF# the key\r\nGATEWAY_WATCH=C:\\Scans=IOS\r\nnot a line\nGATEWAY_DIR = D:\\q\n")).toEqual({
    GATEWAY_WATCH: "C:\\Scans=IOS",
    GATEWAY_DIR: "D:\\q",
  });
});
