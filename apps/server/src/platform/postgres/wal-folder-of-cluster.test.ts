import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openArchiveFolder } from "./wal-folder-of-cluster.ts";

let place = "";
beforeEach(() => void (place = mkdtempSync(path.join(tmpdir(), "arcada-archive-"))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

const segment = "000000010000000000000001";
function makeCluster(name: string, system: bigint): string {
  const cluster = path.join(place, name);
  mkdirSync(path.join(cluster, "global"), { recursive: true });
  const control = Buffer.alloc(16);
  control.writeBigUInt64LE(system);
  writeFileSync(path.join(cluster, "global/pg_control"), control);
  return cluster;
}
const folder = () => path.join(place, "wal-archive");
const waits = () => existsSync(path.join(folder(), segment));

it("keeps the waiting segments when the same cluster starts again", () => {
  const cluster = makeCluster("postgres", 17n);
  openArchiveFolder(cluster, folder());
  writeFileSync(path.join(folder(), segment), "");
  openArchiveFolder(cluster, folder());
  expect(waits()).toBe(true);
});

it("gives a new cluster an empty folder", () => {
  openArchiveFolder(makeCluster("postgres.old-17", 17n), folder());
  writeFileSync(path.join(folder(), segment), "");
  openArchiveFolder(makeCluster("postgres", 18n), folder());
  expect(waits()).toBe(false);
});

it("gives the former cluster its segments back when it returns", () => {
  const former = makeCluster("postgres.old-17", 17n);
  openArchiveFolder(former, folder());
  writeFileSync(path.join(folder(), segment), "");
  openArchiveFolder(makeCluster("postgres", 18n), folder());
  openArchiveFolder(former, folder());
  expect(waits()).toBe(true);
});
