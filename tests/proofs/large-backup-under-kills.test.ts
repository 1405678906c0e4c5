import { createCipheriv, createHash, randomBytes, randomInt } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { anchorFileName } from "../../apps/server/src/platform/audit/audit-anchors.ts";
import { createDiskStore } from "../../apps/server/src/platform/storage/disk-store.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { begin, countStored, run } from "./support/backup-commands.ts";

// ARCADA_DRILL_GB=20 takes 60 GB of disk and half an hour.
const gigabytes = Number(process.env["ARCADA_DRILL_GB"] ?? 0.2);
const kills = 3;
const mebi = 1024 * 1024;
/** A cautious guess: the kills come within the first third of the work. */
const secondsPerGigabyte = 16;
const timeout = 600_000 + gigabytes * 300_000;
const place = mkdtempSync(path.join(process.env["ARCADA_DRILL_DIR"] ?? tmpdir(), "arcada-drill-"));
const product = new Product({}, path.join(place, "data"));
const backups = path.join(place, "backups");
const target = path.join(place, "restored");
const keyFile = path.join(place, "key");
const withKey = ["--key-file", keyFile];
let bytes = 0;

beforeAll(async () => {
  mkdirSync(product.folder);
  writeFileSync(keyFile, randomBytes(32).toString("base64"));
  await product.start();
  const iid = await createClinic();
  await product.stop();
  await fillStore(iid);
  await fillTable();
}, timeout);
afterAll(async () => {
  await product.stop();
  rmSync(place, { recursive: true, force: true });
});

it(
  `the drill: ${gigabytes} GB are the same after ${kills} kills of the backup and ${kills} of the restore`,
  { timeout },
  async () => {
    const wanted = await describeInstance(product.folder);
    const backup = await runWithKills(product.folder, ["backup", "create", backups, ...withKey]);
    const began = performance.now();
    const verified = run(path.join(place, "none"), ["backup", "verify", backups, ...withKey, "--scratch", place]);
    const verification = (performance.now() - began) / 1000;
    expect([verified.code, verified.text]).toEqual([0, expect.stringContaining("The backup is intact.")]);
    const restore = await runWithKills(target, ["backup", "restore", backups, ...withKey]);
    const found = await describeInstance(target);
    expect(Object.keys(wanted).length).toBeGreaterThan(120);
    expect(Object.keys(wanted).filter((name) => found[name] !== wanted[name])).toEqual([]);
    const audit = run(target, ["audit", "verify"]);
    expect(audit).toEqual(run(product.folder, ["audit", "verify"]));
    expect(audit).toEqual({
      code: 0,
      text: expect.stringMatching(/^The audit trail holds: [1-9]\d* rows, compared with [1-9]/),
    });
    const times = { backup, verify: verification, restore };
    const perHundred = Object.entries(times).map(
      ([name, seconds]) => `${name} ${((seconds / 60) * (100e9 / bytes)).toFixed(1)}`,
    );
    const load = readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ");
    console.log(
      `${(bytes / 1e9).toFixed(2)} GB, ${kills} kills each; minutes per 100 GB: ${perHundred.join(", ")}; load ${load}`,
    );
  },
);

/** Runs a command that is killed several times at random moments. Returns the seconds of all runs together. */
async function runWithKills(dataDir: string, command: string[]): Promise<number> {
  const began = performance.now();
  const longestMs = 1000 + (gigabytes * secondsPerGigabyte * 1000) / kills;
  for (let round = 0; round < kills; round++) {
    const child = begin(dataDir, command);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const killing = setTimeout(() => child.kill("SIGKILL"), 500 + randomInt(Math.round(longestMs)));
    await ended;
    clearTimeout(killing);
  }
  const { code, text } = run(dataDir, command);
  // A restore that was faster than its kill leaves a folder that is no longer empty.
  expect(code === 0 || text.includes("is not empty"), text).toBe(true);
  return (performance.now() - began) / 1000;
}

async function createClinic(): Promise<string> {
  const manager = await product.register("drill@example.test", "clinicManager");
  const made = await product.call(
    institutionCalls.create,
    { type: "clinic", name: "Clinic of the drill", country: "CN" },
    { token: manager },
  );
  const { token } = await product.call(institutionCalls.switch, { iid: made.id }, { token: manager });
  for (let number = 0; number < 20; number++)
    await product.call(
      patientCalls.create,
      { name: `Patient ${number}`, sex: "other", birthDate: "1990-01-01" },
      { token },
    );
  // The server anchors the audit log once a minute.
  await vi.waitUntil(() => existsSync(path.join(product.folder, anchorFileName)), { timeout: 120_000, interval: 500 });
  return made.id;
}

/** Fills the store with files of 1 to 40 MiB that cannot be compressed. */
async function fillStore(iid: string): Promise<void> {
  const store = createDiskStore(path.join(product.folder, "files"));
  const stored = [];
  const block = Buffer.alloc(mebi);
  while (bytes < gigabytes * 0.95e9) {
    const cipher = createCipheriv("aes-128-ctr", randomBytes(16), randomBytes(16));
    const count = randomInt(1, Math.max(2, Math.min(40, Math.round(gigabytes * 20))));
    const source = Readable.from(
      (async function* () {
        for (let number = 0; number < count; number++) yield cipher.update(block);
      })(),
    );
    stored.push(await store.put("originals", iid, source));
    bytes += count * mebi;
  }
  await countStored(product.folder, iid, stored);
}

/** Adds a table that is as large as a twentieth of the files. */
async function fillTable(): Promise<void> {
  const rows = Math.round((gigabytes * 0.05e9) / 500);
  await withDatabase(product.folder, async (client) => {
    await client.query("create table drill (id bigint primary key, content text not null)");
    await client.query(
      `insert into drill select id, (select string_agg(md5(id::text || part), '') from generate_series(1, 14) part)
        from generate_series(1, $1::bigint) id`,
      [rows],
    );
    bytes += rows * 500;
  });
}

/** Hashes every stored file, and counts and hashes the rows of every table. */
async function describeInstance(dataDir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  await withDatabase(dataDir, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public'",
    );
    for (const { name } of rows) {
      const text = `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as hash from ${name} t`;
      found[name] = (await client.query<{ hash: string }>(text)).rows[0]?.hash ?? "";
    }
  });
  // The end of a backup is recorded after the copy of the database.
  delete found["backup_run"];
  const files = path.join(dataDir, "files");
  for (const name of readdirSync(files, { recursive: true, encoding: "utf8" })) {
    if (!/[0-9a-f]{64}$/.test(name)) continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path.join(files, name), { highWaterMark: mebi }), hash);
    found[name] = hash.digest("hex");
  }
  return found;
}

async function withDatabase(dataDir: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const postgres = await startPostgres({ folder: path.join(dataDir, "postgres") });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  await work(client);
  await client.end();
  await postgres.stop();
}
