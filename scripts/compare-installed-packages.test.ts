import { describe, expect, it } from "vitest";
import { compareWithLockFile } from "./lib/compare-installed-packages.mjs";

const server = { "node_modules/fastify": { version: "5.0.0" } };
const tests = { "node_modules/vitest": { version: "5.1.1", dev: true } };
const macOnly = { "node_modules/fsevents": { version: "2.0.0", optional: true, os: ["darwin"] } };
const workspace = { "apps/server": { version: "0.0.0" } };
const locked = { packages: { ...workspace, ...server, ...tests, ...macOnly } };
const linux = { platform: "linux", arch: "x64" };

describe("an installation compared with the lock file", () => {
  it.each([
    ["complete without packages of other systems", { ...server, ...tests }, "development"],
    ["enough to start without packages of development", server, "start"],
    ["unusable without a package of production", tests, null],
    ["unusable with another version", { ...tests, "node_modules/fastify": { version: "4.0.0" } }, null],
  ])("is %s", (_, packages, scope) => {
    expect(compareWithLockFile(locked, { packages }, linux)).toBe(scope);
  });

  it("is unusable without an optional package of its own system", () => {
    const packages = { ...server, ...tests };
    expect(compareWithLockFile(locked, { packages }, { platform: "darwin", arch: "arm64" })).toBeNull();
  });
});
