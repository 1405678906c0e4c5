import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { deleteExpiredClusters, deleteFormerClusters } from "./former-clusters.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-former-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const day = (number: number): Date => new Date(Date.UTC(2027, 0, number));
let folder = "";
let former = "";
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(place, "data-")), "postgres");
  former = `${folder}.old-17`;
  for (const cluster of [folder, former]) {
    mkdirSync(cluster);
    writeFileSync(path.join(cluster, "PG_VERSION"), "17\n");
  }
});

describe("the old database after an upgrade", () => {
  it("is deleted 14 days after the first look at it, and not before", async () => {
    expect(await deleteExpiredClusters(folder, day(1))).toEqual([]);
    expect(await deleteExpiredClusters(folder, day(15))).toEqual([]);
    expect(existsSync(former)).toBe(true);
    expect(await deleteExpiredClusters(folder, day(16))).toEqual([former]);
    expect([existsSync(former), existsSync(`${former}.since`), existsSync(folder)]).toEqual([false, false, true]);
  });

  it("is deleted at once when the upgrade is accepted", async () => {
    expect(await deleteFormerClusters(folder)).toEqual([former]);
    expect(existsSync(former)).toBe(false);
  });

  it("stays when there is no other", async () => {
    await deleteExpiredClusters(folder, day(1));
    rmSync(folder, { recursive: true });
    expect(await deleteExpiredClusters(folder, day(30))).toEqual([]);
    expect(existsSync(former)).toBe(true);
  });
});
