import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { StartError } from "../runtime/config.ts";
import {
  draftFolder,
  exchangeClusters,
  refuseDuringUpgrade,
  undoUpgrade,
  writePlan,
} from "./exchange-upgraded-cluster.ts";
import { readMajor } from "./make-cluster.ts";
import { processIdentity } from "./postmaster.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-exchange-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let folder = "";
beforeEach(async () => {
  folder = path.join(mkdtempSync(path.join(place, "data-")), "postgres");
  makeCluster(folder, 17);
  makeCluster(draftFolder(folder), 18);
  for (const left of [`${draftFolder(folder)}.log`, `${folder}.alone.lock`]) writeFileSync(left, "");
  await writePlan(folder, 17, 18);
});

describe("an upgrade that was interrupted", () => {
  it("before the exchange is taken back", async () => {
    await undoUpgrade(folder);
    expect([readMajor(folder), names()]).toEqual([17, ["postgres"]]);
  });

  it("between the two renames is taken back", async () => {
    renameSync(folder, `${folder}.old-17`);
    await undoUpgrade(folder);
    expect([readMajor(folder), names()]).toEqual([17, ["postgres"]]);
  });

  it("after both renames stays", async () => {
    renameSync(folder, `${folder}.old-17`);
    renameSync(draftFolder(folder), folder);
    await undoUpgrade(folder);
    expect([readMajor(folder), names()]).toEqual([18, ["postgres", "postgres.old-17"]]);
  });
});

describe("the exchange", () => {
  it("gives the new cluster the name and keeps the old one", async () => {
    await exchangeClusters(folder, 17);
    expect([readMajor(folder), readMajor(`${folder}.old-17`)]).toEqual([18, 17]);
    expect(names()).toEqual(["postgres", "postgres.old-17"]);
  });
});

describe("a start during an upgrade", () => {
  it("is refused in one sentence while the other process lives", () => {
    const parent = process.ppid;
    writeFileSync(`${folder}.upgrade.json`, JSON.stringify({ holder: processIdentity(parent), from: 17, to: 18 }));
    expect(() => refuseDuringUpgrade(folder)).toThrow(StartError);
    expect(() => refuseDuringUpgrade(folder)).toThrow(
      `is being upgraded from PostgreSQL 17 to 18 by process ${parent}: start Arcada when that has ended.`,
    );
  });

  it("is allowed when that process is gone, even if its number is in use again", () => {
    const holder = `${process.ppid} 1 another boot`;
    writeFileSync(`${folder}.upgrade.json`, JSON.stringify({ holder, from: 17, to: 18 }));
    expect(() => refuseDuringUpgrade(folder)).not.toThrow();
  });
});

function makeCluster(where: string, major: number): void {
  mkdirSync(where, { recursive: true });
  writeFileSync(path.join(where, "PG_VERSION"), `${major}\n`);
  expect(existsSync(where) && Number(readFileSync(path.join(where, "PG_VERSION"), "utf8"))).toBe(major);
}

const names = (): string[] => readdirSync(path.dirname(folder)).toSorted();
