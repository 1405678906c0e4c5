import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDiskStore } from "../../apps/server/src/platform/storage/disk-store.ts";
import { openBucket } from "../../apps/server/src/platform/storage/s3-bucket.ts";
import type { Bucket } from "../../apps/server/src/platform/storage/s3-bucket.ts";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { begin, fingerprint, run } from "./support/backup-commands.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-bucket-"));
const keyFile = path.join(place, "key");
const withKey = ["--key-file", keyFile];
const product = new Product({}, path.join(place, "data"));
const iid = "0".repeat(8) + "-0000-4000-8000-000000000000";
let server: S3Server | { skipped: string };
let settings: Record<string, string> = {};
let root = "";
let bucket: Bucket;

beforeAll(async () => {
  server = await startS3Server();
  if ("skipped" in server) return;
  bucket = openBucket(server.settings);
  root = `s3://${server.settings.bucket}/arcada/backups`;
  settings = {
    BACKUP_S3_ENDPOINT: server.settings.endpoint,
    BACKUP_S3_ACCESS_KEY: server.settings.accessKey,
    BACKUP_S3_SECRET_KEY: server.settings.secretKey,
  };
  mkdirSync(product.folder);
  writeFileSync(keyFile, randomBytes(32).toString("base64"));
  await product.start();
  await product.register("bucket@example.test", "clinicManager");
  await product.stop();
  const store = createDiskStore(path.join(product.folder, "files"));
  // One is larger than a part of an upload, and one is empty.
  for (const bytes of [0, 1, 300_000, 9_000_000]) await store.put("originals", iid, randomBytes(bytes));
}, 400_000);
afterAll(async () => {
  if (!("skipped" in server)) await server.stop();
  rmSync(place, { recursive: true, force: true });
});

const create = (...more: string[]) => run(product.folder, ["backup", "create", root, ...withKey, ...more], settings);
const restore = (target: string, more: Record<string, string> = settings) =>
  run(path.join(place, target), ["backup", "restore", root, ...withKey], more);

async function listObjects(): Promise<string[]> {
  const keys: string[] = [];
  for await (const objects of bucket.list("arcada/")) keys.push(...objects.map(({ key }) => key));
  return keys;
}

describe("T-15c: a backup in a bucket", { timeout: 240_000 }, () => {
  beforeEach(({ skip }) => {
    if ("skipped" in server) skip(server.skipped);
  });

  it("that was killed is begun again, verified and restored with the same rows and files", async () => {
    const child = begin(product.folder, ["backup", "create", root, ...withKey], settings);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await expect.poll(async () => (await listObjects()).length, { timeout: 60_000 }).toBeGreaterThan(2);
    child.kill("SIGKILL");
    await ended;
    expect(create().text).toContain("4 stored files");
    const verified = run(path.join(place, "none"), ["backup", "verify", root, ...withKey], settings);
    expect([verified.code, verified.text]).toEqual([0, expect.stringContaining("The backup is intact.")]);
    expect(restore("restored").text).toContain("The backup is restored");
    const [wanted, found] = [await fingerprint(product.folder), await fingerprint(path.join(place, "restored"))];
    delete wanted["backup_run"];
    expect(Object.keys(wanted).filter((name) => found[name] !== wanted[name])).toEqual([]);
    expect(Object.keys(wanted).length).toBeGreaterThan(100);
  });

  it("removes older ones and files that only they need", async () => {
    const stray = `arcada/backups/files/originals/${iid}/00/${"0".repeat(64)}.enc`;
    await bucket.write(stray, "of an older backup");
    expect(create("--keep", "1").text).toContain("older backups are removed");
    const keys = await listObjects();
    expect(keys).not.toContain(stray);
    expect(keys.filter((key) => key.endsWith("/manifest.json")).length).toBe(1);
    expect(keys.filter((key) => key.includes("/files/")).length).toBe(4);
  });

  it("with a damaged object is not restored", async () => {
    const part = present((await listObjects()).find((key) => key.endsWith(".pack.zst") && key.includes("/database/")));
    await bucket.write(part, "x".repeat((await bucket.size(part)) ?? 0));
    expect(restore("damaged")).toEqual({ code: 2, text: expect.stringContaining("damaged and was not restored") });
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ["without keys", () => ({}), /needs BACKUP_S3_ENDPOINT/],
    ["with a wrong key", () => ({ ...settings, BACKUP_S3_SECRET_KEY: "wrong" }), /cannot be used .* check its address/],
    [
      "at a server that does not answer",
      () => ({ ...settings, BACKUP_S3_ENDPOINT: "http://127.0.0.1:9" }),
      /cannot be used .* check its address/,
    ],
  ])("%s is refused in one sentence", (_, more, message) => {
    const { code, text } = run(product.folder, ["backup", "create", root, ...withKey], more());
    expect(text.trim().split("\n").at(-1)).toMatch(message);
    expect(code).toBe(2);
  });

  it("in the bucket of the stored files is refused", () => {
    const { endpoint, accessKey, secretKey, bucket: name } = (server as S3Server).settings;
    const same = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: name };
    const { code, text } = run(path.join(place, "none"), ["backup", "restore", root, ...withKey], same);
    expect([code, text]).toEqual([2, expect.stringContaining("outside the bucket")]);
  });
});
