import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Isolation } from "@arcada/contract/operator/health.calls";
import { findIsolation, openSandbox, type SandboxedProgram } from "../../platform/runtime/sandbox.ts";
import { packProgram } from "./pack-process.ts";

const root = path.resolve(import.meta.dirname, "../../../../..");
const folder = mkdtempSync(path.join(tmpdir(), "arcada-secrets-"));
const secret = path.join(folder, "secret.key");
const server = createServer((socket) => socket.end());
beforeAll(() => {
  writeFileSync(secret, "a".repeat(42));
  return new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.close();
});

const script = new URL("./hostile-worker.ts", import.meta.url);
const hostile: SandboxedProgram = { ...packProgram, script };
interface AttackResults {
  read: Record<string, string>;
  write: Record<string, string>;
  native: Record<string, string>;
  network: string;
  program: string;
  parent: string;
  here: string;
  environment: string[];
}
const secrets = [secret, "/etc/passwd", path.join(root, "README.md"), `/proc/${process.pid}/environ`, "README.md"];
const places = [path.join(folder, "left"), path.join(root, "left"), path.join(root, "apps/server/src/left"), "left"];

async function attackFrom(isolation: Isolation): Promise<AttackResults> {
  const sandbox = await openSandbox(hostile, { files: [secret], cpuSeconds: 60, isolation });
  try {
    return await new Promise<AttackResults>((resolve, reject) => {
      sandbox.child.once("message", resolve);
      sandbox.child.once("exit", () => reject(new Error("ended without an answer")));
      sandbox.child.send({
        read: secrets,
        write: places,
        native: [secret],
        port: (server.address() as AddressInfo).port,
        run: process.execPath,
        pid: process.pid,
      });
    });
  } finally {
    await sandbox.close();
  }
}
const allRefused = (tries: Record<string, string>): string[] =>
  Object.entries(tries).flatMap(([what, got]) => (got === "done" ? [what] : []));

const best = await findIsolation(packProgram);
const isRoot: Isolation[] = process.getuid?.() === 0 && best === "namespace" ? ["user"] : [];
const modes = [...new Set<Isolation>([best, ...isRoot, "permission"])];
if (best !== "namespace")
  console.warn(`No namespaces here: the network and native code are tried in none ("${best}").`);

describe.each(modes)("what a model that has taken its process over gets, by %s", (isolation) => {
  it(
    "is no file, no place to write, no program and nothing of the server's environment",
    { timeout: 60_000 },
    async () => {
      const got = await attackFrom(isolation);
      expect(allRefused(got.read)).toEqual([]);
      expect(allRefused(got.write)).toEqual([]);
      expect(got.program).not.toBe("done");
      expect(["ERR_ACCESS_DENIED", "nothing"]).toContain(got.here);
      const known = [
        "NODE_CHANNEL_FD",
        "NODE_CHANNEL_SERIALIZATION_MODE",
        "NODE_NO_WARNINGS",
        "PATH",
        "PWD",
        "OLDPWD",
        "VIPS_DISC_THRESHOLD",
      ];
      expect(got.environment.filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  it.runIf(isolation === "namespace")(
    "is no network, no sight of other processes, and no file by native code",
    { timeout: 60_000 },
    async () => {
      const got = await attackFrom(isolation);
      expect(got.network).toBe("ENETUNREACH");
      expect(got.parent).toBe("ESRCH");
      expect(got.native[secret]).toMatch(/doesn't exist|No such file/);
    },
  );
});

it("leaves no folder behind", { timeout: 60_000 }, async () => {
  const sandbox = await openSandbox(packProgram, { files: [], cpuSeconds: 60 });
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("arcada-sandbox-"));
  const during = folders();
  await sandbox.close();
  expect(folders().length).toBeLessThan(during.length);
});
