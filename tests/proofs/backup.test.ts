import { spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { createDiskStore } from "../../apps/server/src/platform/storage/disk-store.ts";
import type { StoredFileInfo } from "../../apps/server/src/platform/storage/file-store.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { begin, countStored, fingerprint, hash, hashRows, run } from "./support/backup-commands.ts";

const isFull = process.env.ARCADA_PROOF === "full";
const kills = isFull ? 25 : 1;
const timeout = 60_000 + kills * 60_000;
const place = mkdtempSync(path.join(tmpdir(), "arcada-backup-"));
const product = new Product({}, path.join(place, "data"));
const backups = path.join(place, "backups");
const keyFile = path.join(place, "key");
const withKey = ["--key-file", keyFile];
/** Everything that the server has acknowledged, by its hash. */
const uploads = new Map<string, string>();
const stored: StoredFileInfo[] = [];
let patients = 0;

const create = (root = backups) => run(product.folder, ["backup", "create", root, ...withKey]);
const restore = (dataDir: string, ...more: string[]) =>
  run(dataDir, ["backup", "restore", backups, ...withKey, ...more]);
const names = (root = backups): string[] => readdirSync(root).filter((name) => /^\d/.test(name));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  mkdirSync(product.folder);
  writeFileSync(keyFile, randomBytes(32).toString("base64"));
  await product.start();
}, 120_000);
afterAll(async () => {
  await product.stop();
  rmSync(place, { recursive: true, force: true });
});

describe("T-15: a backup", { timeout }, () => {
  it("that is made while people write holds everything that was acknowledged before, and is intact", async () => {
    const { token, iid } = await createClinic();
    const store = createDiskStore(path.join(product.folder, "files"));
    const work = { over: false };
    const write = async (): Promise<void> => {
      for (; !work.over; await pause(20)) {
        const bytes = randomBytes(randomInt(1000, 300_000));
        uploads.set(hash(bytes), await product.upload(token, `${hash(bytes)}.bin`, bytes));
        stored.push(await store.put("originals", iid, randomBytes(randomInt(1000, 300_000))));
        await product.call(
          patientCalls.create,
          { name: hash(bytes).slice(0, 20), sex: "other", birthDate: "1990-01-01" },
          { token },
        );
        patients += 1;
      }
    };
    const writing = Promise.all([write(), write()]);
    writing.catch(() => {});
    await expect.poll(() => uploads.size, { timeout: 30_000 }).toBeGreaterThan(10);
    const before = { files: [...uploads.keys(), ...stored.map(({ sha256 }) => sha256)], patients };
    await countStored(product.folder, iid, stored);
    const child = begin(product.folder, ["backup", "create", backups, ...withKey]);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    work.over = true;
    await writing;
    expect(code).toBe(0);
    expect(uploads.size + stored.length).toBeGreaterThan(before.files.length);
    const { code: intact, text } = run(path.join(place, "none"), ["backup", "verify", backups, ...withKey]);
    expect(text).toContain("The backup is intact.");
    expect(text).toMatch(/The audit log has [1-9]\d* intact rows/);
    expect(intact).toBe(0);
    const target = path.join(place, "during");
    expect(restore(target).text).toContain("The backup is restored");
    const restored = await fingerprint(target);
    expect(Number(present(restored["patient"]).split(" ")[0])).toBeGreaterThanOrEqual(before.patients);
    const files = new Set(Object.values(restored));
    expect(before.files.filter((one) => !files.has(one))).toEqual([]);
  });

  it(`holds the same rows, files and audit log after ${kills} kills of the backup and ${kills} of the restore`, async () => {
    await product.stop();
    for (let round = 0; round < kills; round++) {
      const child = begin(product.folder, ["backup", "create", backups, ...withKey]);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await pause(randomInt(400, 2500));
      child.kill("SIGKILL");
      await ended;
    }
    expect(create().text).toContain("is complete");
    const wanted = await fingerprint(product.folder);
    // The end of a backup is recorded after the copy of the database.
    delete wanted["backup_run"];
    const target = path.join(place, "again");
    for (let round = 0; round < kills; round++) {
      const child = begin(target, ["backup", "restore", backups, ...withKey]);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await pause(randomInt(400, 4000));
      child.kill("SIGKILL");
      await ended;
    }
    const { code, text } = restore(target);
    // A restore that was faster than its kill leaves a folder that is no longer empty.
    expect(code === 0 || text.includes("is not empty"), text).toBe(true);
    const found = await fingerprint(target);
    expect(Object.keys(wanted).filter((name) => found[name] !== wanted[name])).toEqual([]);
    expect(Object.keys(wanted).length).toBeGreaterThan(100 + uploads.size + stored.length);
    expect(run(target, ["audit", "verify"])).toEqual(run(product.folder, ["audit", "verify"]));
    expect(existsSync(path.join(target, ".restoring"))).toBe(false);
  });

  it.runIf(isFull)("of an external database holds the same rows when a plain owner restores it", async () => {
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    const host = encodeURIComponent(postgres.connection.host);
    const admin = new pg.Client(postgres.connection);
    await admin.connect();
    await admin.query("create role plain login");
    await admin.query("grant arcada_app, arcada_system to plain");
    await admin.query("create database target owner plain");
    const rows = path.join(place, "rows");
    const target = path.join(place, "external");
    const atSource = { DATABASE_URL: `postgres://arcada_owner@${host}/arcada` };
    const atTarget = { DATABASE_URL: `postgres://plain@${host}/target` };
    expect(run(product.folder, ["backup", "create", rows, ...withKey], atSource).text).toContain("is complete");
    expect(run(place, ["backup", "verify", rows, ...withKey]).text).toContain("The backup is intact.");
    expect(run(target, ["backup", "restore", rows, ...withKey], atTarget).text).toContain("is restored");
    const found = await hashRows({ ...postgres.connection, database: "target" });
    const wanted = await hashRows(postgres.connection);
    // The moment of each migration is the restore's own, and the end of a backup is recorded after the copy.
    const ownRows = { migration: "", backup_run: "" };
    expect({ ...found, ...ownRows }).toEqual({ ...wanted, ...ownRows });
    const again = run(path.join(place, "external-2"), ["backup", "restore", rows, ...withKey], atTarget);
    expect([again.code, again.text]).toEqual([2, expect.stringContaining("DATABASE_URL is not empty")]);
    const physical = run(path.join(place, "external-3"), ["backup", "restore", backups, ...withKey], atTarget);
    expect([physical.code, physical.text]).toEqual([2, expect.stringContaining("leave DATABASE_URL out")]);
    await admin.end();
    await postgres.stop();
  });

  it.runIf(isFull)("removes older ones and the files that only they need, when only one is to be kept", () => {
    const root = path.join(place, "kept");
    const command = ["backup", "create", root, "--keep", "1"];
    expect(run(product.folder, command).code).toBe(0);
    const stray = path.join(
      root,
      "files/originals",
      "0".repeat(8) + "-0000-0000-0000-000000000000",
      "00",
      "0".repeat(64),
    );
    mkdirSync(path.dirname(stray), { recursive: true });
    writeFileSync(stray, "of an older backup");
    expect(run(product.folder, command).text).toContain("1 older backups are removed");
    expect([names(root).length, existsSync(stray)]).toEqual([1, false]);
    expect(run(product.folder, ["backup", "verify", root]).text).toContain("The backup is intact.");
  });

  it("refuses a folder in use; with --replace the former content stays aside", async () => {
    const target = path.join(place, "again");
    const refused = restore(target);
    expect(refused.code).toBe(2);
    expect(refused.text).toContain("is not empty");
    writeFileSync(path.join(target, "mark"), "former");
    expect(restore(target, "--replace").code).toBe(0);
    const aside = readdirSync(target).filter((name) => name.startsWith("replaced-"));
    expect(readFileSync(path.join(target, present(aside[0]), "mark"), "utf8")).toBe("former");
  });

  it.each<[string, (copy: string) => { key?: string[] }, RegExp]>([
    ["a wrong key", () => ({ key: ["--key-file", wrongKey()] }), /encrypted with another key/],
    ["a missing key", () => ({ key: [] }), /give their key by --key-file/],
    [
      "a truncated part",
      (copy) => changeFirstPart(copy, (file) => truncateSync(file, 1000)),
      /damaged and was not restored/,
    ],
    ["a missing part", (copy) => changeFirstPart(copy, (file) => rmSync(file)), /damaged and was not restored/],
    ["a missing file", (copy) => removeOneFile(copy), /damaged and was not restored/],
    ["a changed manifest", (copy) => edit(copy, { secret: "another" }), /was changed/],
    ["a newer format", (copy) => edit(copy, { format: 2 }), /newer version of Arcada/],
    ["no manifest", (copy) => change(copy, "manifest.json", (file) => rmSync(file)), /There is no complete backup/],
  ])("with %s is refused in one sentence, and nothing is lost", (_, spoil, message) => {
    const copy = mkdtempSync(path.join(place, "copy-"));
    cpSync(backups, copy, { recursive: true });
    const newest = present(names(copy).at(-1));
    for (const name of names(copy)) if (name !== newest) rmSync(path.join(copy, name), { recursive: true });
    const { key = withKey } = spoil(copy);
    const target = mkdtempSync(path.join(place, "target-"));
    const { code, text } = run(target, ["backup", "restore", copy, ...key]);
    expect(text).toMatch(message);
    expect(text.trim().split("\n").at(-1)).toMatch(message);
    expect(code).toBe(2);
    expect(readdirSync(target).filter((name) => name !== ".restoring")).toEqual([]);
    rmSync(copy, { recursive: true });
  });

  it.runIf(isFull)("of a version with more migrations is refused", () => {
    const plain = path.join(place, "plain");
    expect(run(product.folder, ["backup", "create", plain]).code).toBe(0);
    const file = path.join(plain, present(names(plain)[0]), "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { migrations: object[] };
    manifest.migrations.push({ name: "9999-later.sql", sha256: "0" });
    writeFileSync(file, JSON.stringify(manifest));
    const { code, text } = run(path.join(place, "later"), ["backup", "restore", plain]);
    expect([code, text]).toEqual([2, expect.stringContaining("newer version of Arcada")]);
  });

  it.runIf(isFull)("without encryption needs the key of the instance", () => {
    const plain = path.join(place, "plain-key");
    expect(run(product.folder, ["backup", "create", plain]).text).toContain("keep a copy of that file elsewhere");
    const target = path.join(place, "keyless");
    expect(run(target, ["backup", "restore", plain]).text).toContain("does not contain the key of this instance");
    writeFileSync(path.join(target, "secret.key"), "x".repeat(40));
    expect(run(target, ["backup", "restore", plain]).text).toContain("is not the key that the backup belongs to");
    cpSync(path.join(product.folder, "secret.key"), path.join(target, "secret.key"));
    expect(run(target, ["backup", "restore", plain]).code).toBe(0);
  });

  it("onto a full disk says so in one sentence and leaves the former backup intact (needs the right to mount)", ({
    skip,
  }) => {
    const small = path.join(place, "small");
    mkdirSync(small);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=120m", "tmpfs", small]).status !== 0)
      return skip("a small disk could not be mounted");
    try {
      expect(create(small).code).toBe(0);
      const { bavail, bsize } = statfsSync(small);
      writeFileSync(path.join(small, "files", "ballast"), Buffer.alloc(bavail * bsize - 1_500_000));
      const { code, text } = create(small);
      expect([code, text]).toEqual([2, expect.stringContaining("is full: make room and run the command again")]);
      expect(names(small).filter((name) => existsSync(path.join(small, name, "manifest.json"))).length).toBe(1);
      rmSync(path.join(small, "files", "ballast"));
      expect(run(place, ["backup", "verify", small, ...withKey]).text).toContain("The backup is intact.");
      expect(create(small).code).toBe(0);
    } finally {
      spawnSync("umount", ["-l", small]);
    }
  });
});

async function createClinic(): Promise<{ token: string; iid: string }> {
  const token = await product.register("backup@example.test", "clinicManager");
  const made = await product.call(
    institutionCalls.create,
    { type: "clinic", name: "Backup clinic", country: "CN" },
    { token },
  );
  const moved = await product.call(institutionCalls.switch, { iid: made.id }, { token });
  return { token: moved.token, iid: made.id };
}

function wrongKey(): string {
  const file = path.join(place, "wrong-key");
  writeFileSync(file, randomBytes(32).toString("base64"));
  return file;
}

function change(copy: string, name: string, how: (file: string) => void): object {
  how(path.join(copy, present(names(copy)[0]), name));
  return {};
}

/** Changes a part of the database. After an interrupted attempt the first number may belong to no part. */
function changeFirstPart(copy: string, how: (file: string) => void): object {
  const parts = readdirSync(path.join(copy, present(names(copy)[0]), "database")).filter((name) =>
    name.endsWith(".zst"),
  );
  return change(copy, path.join("database", present(parts.toSorted()[0])), how);
}

const edit = (copy: string, values: object): object =>
  change(copy, "manifest.json", (file) =>
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), ...values })),
  );

function removeOneFile(copy: string): object {
  const all = readdirSync(path.join(copy, "files"), { recursive: true, encoding: "utf8" });
  rmSync(path.join(copy, "files", present(all.find((name) => name.endsWith(".enc")))));
  return {};
}
