import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { buildServer, sourceMain } from "./lib/build-server.mjs";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of bundles, and a bundler that writes one small file. */
function openDist() {
  const dist = mkdtempSync(path.join(tmpdir(), "arcada-dist-"));
  folders.push(dist);
  const said: string[] = [];
  const bundle = (draft: string) => {
    mkdirSync(draft, { recursive: true });
    writeFileSync(path.join(draft, "main.mjs"), "export {};");
  };
  const build = (sources: string, options = {}) =>
    buildServer(process.execPath, {
      dist,
      bundle,
      readSources: () => sources,
      report: (line) => said.push(line),
      ...options,
    });
  return { dist, said, build, bundle };
}
const refuse = () => {
  throw new Error("ENOSPC");
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe("the bundle of the server", () => {
  it("is used again while its sources are the same", async () => {
    const { dist, build } = openDist();
    const program = await build("a");
    expect(program).toBe(path.join(dist, "a", "main.mjs"));
    expect(await build("a", { bundle: refuse })).toBe(program);
  });
  it("is made again if a file of it was cut short", async () => {
    const { build } = openDist();
    const program = await build("a");
    writeFileSync(program, "");
    expect(await build("a", { bundle: refuse })).toBe(sourceMain);
    expect(await build("a")).toBe(program);
  });
  it("is made by two commands at once, and both succeed", async () => {
    const { dist, said, build, bundle } = openDist();
    let arrived = 0;
    let open = () => {};
    const bothHere = new Promise<void>((resolve) => (open = resolve));
    const together = async (draft: string) => {
      bundle(draft);
      if (++arrived === 2) open();
      await bothHere;
    };
    const programs = await Promise.all([build("a", { bundle: together }), build("a", { bundle: together })]);
    const program = path.join(dist, "a", "main.mjs");
    expect([programs, said, readdirSync(dist)]).toEqual([[program, program], [], ["a"]]);
  });
  it("is dropped if the sources changed while it was made", async () => {
    const { dist, build } = openDist();
    const answers = ["a", "b"];
    expect(await build("", { readSources: () => answers.shift() })).toBe(sourceMain);
    expect(readdirSync(dist)).toEqual([]);
  });
  it("is done without after any error, in one line", async () => {
    const { said, build } = openDist();
    expect(await build("a", { bundle: refuse })).toBe(sourceMain);
    expect(await build("a", { readSources: refuse })).toBe(sourceMain);
    const file = path.join(folders[0] ?? "", "file");
    writeFileSync(file, "");
    expect(await build("a", { dist: file })).toBe(sourceMain);
    expect(said.map((line) => /ENOSPC|ENOTDIR|EEXIST/.exec(line)?.[0])).toEqual([
      "ENOSPC",
      "ENOSPC",
      expect.anything(),
    ]);
    expect(said.join("")).not.toContain("\n");
  });
  it("stays for a week after newer ones, and longer as one of the newest two", async () => {
    const { dist, build } = openDist();
    for (const [name, days] of [
      ["oldest", 9],
      ["old", 8],
      ["draft-1", 8],
    ] as const) {
      await build(name);
      utimesSync(path.join(dist, name), daysAgo(days), daysAgo(days));
    }
    rmSync(path.join(dist, "draft-1", "manifest.json"));
    utimesSync(path.join(dist, "draft-1"), daysAgo(8), daysAgo(8));
    await build("new");
    expect(readdirSync(dist).toSorted()).toEqual(["new", "old"]);
    for (const name of ["newer", "newest"]) await build(name);
    expect(existsSync(path.join(dist, "new"))).toBe(true);
    expect(existsSync(path.join(dist, "old"))).toBe(false);
  });
});
