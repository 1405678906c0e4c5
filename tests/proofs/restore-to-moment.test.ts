import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { measureWaiting, readStatus } from "../../apps/server/src/platform/wal-archive/archive-folder.ts";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { run } from "./support/backup-commands.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-moments-"));
const backups = path.join(place, "backups");
const keyFile = path.join(place, "key");
const settings = { BACKUP_DIR: backups, BACKUP_KEY_FILE: keyFile, BACKUP_WAL_SECONDS: "1", BACKUP_VERIFY_DAYS: "0" };
// PostgreSQL replays the log of a server that allowed many connections only if it allows as many itself.
const product = new Product({ ...settings, DATABASE_POOL: "20" }, path.join(place, "data"));
const withKey = ["--key-file", keyFile];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let token: string;

beforeAll(async () => {
  mkdirSync(product.folder);
  writeFileSync(keyFile, randomBytes(32).toString("base64"));
  await product.start();
  token = await createClinic();
}, 120_000);
afterAll(async () => {
  await product.stop();
  rmSync(place, { recursive: true, force: true });
});

const create = () => run(product.folder, ["backup", "create", backups, ...withKey], settings);
const restore = (target: string, until: string) =>
  run(path.join(place, target), ["backup", "restore", backups, ...withKey, "--until", until]);

/** Waits until everything that was written has reached the archive. */
async function waitForArchive(): Promise<void> {
  // A segment ends only if something was written since the last one.
  const written = Date.now();
  const readTime = async () => Date.parse((await readStatus({ dataDir: product.folder }))?.at ?? "1970-01-01");
  for (const end = written + 60_000; (await readTime()) < written + 3000; await pause(500)) {
    expect(Date.now()).toBeLessThan(end);
    await addPatient(`filler ${randomUUID()}`);
  }
}

describe("T-15b: a restore to a moment", { timeout: 240_000 }, () => {
  it("has the rows and the files of that moment, and not those of later ones", async () => {
    expect(create().text).toContain("is complete");
    await addPatient("before");
    await setLogo();
    await pause(1500);
    const moment = new Date().toISOString();
    await pause(1500);
    await addPatient("after");
    await waitForArchive();
    const { text, code } = restore("moment", moment);
    expect([code, text]).toEqual([0, expect.stringContaining(`the database is as it was at ${moment}`)]);
    expect(await listPatients("moment")).toEqual(["before"]);
    expect(readdirSync(path.join(place, "moment", "files", "converted")).length).toBeGreaterThan(0);
    const verified = run(path.join(place, "moment"), ["storage", "scrub"]);
    expect([verified.code, verified.text]).toEqual([0, expect.stringMatching(/Read [1-9]\d* files.* 0 missing/)]);
    // A server writes its first anchor after a minute; without one, the rows are compared with each other.
    const audit = run(path.join(place, "moment"), ["audit", "verify"]);
    expect(audit.text).toMatch(
      /^The (audit trail holds: [1-9]\d* rows|[1-9]\d* rows of the audit trail fit each other)/,
    );
  });

  it("up to the latest one has everything that the archive holds", async () => {
    const { code } = restore("latest", "latest");
    expect(code).toBe(0);
    expect(await listPatients("latest")).toEqual(expect.arrayContaining(["after", "before"]));
  });

  it("outside the archive is refused in one sentence", () => {
    const early = restore("early", "2020-01-01T00:00:00Z");
    expect([early.code, early.text]).toEqual([2, expect.stringContaining("give a later time")]);
    const future = restore("future", "2999-01-01T00:00:00Z");
    expect([future.code, future.text]).toEqual([2, expect.stringContaining("has not come yet")]);
    const zoneless = restore("zoneless", "2026-01-01T00:00:00");
    expect([zoneless.code, zoneless.text]).toEqual([2, expect.stringContaining("no time with a zone")]);
  });

  it("with a gap in the archive is refused, and names the backup that can be restored", async () => {
    const wal = path.join(backups, "wal", present(readdirSync(path.join(backups, "wal"))[0]));
    const segments = readdirSync(wal).toSorted();
    rmSync(path.join(wal, present(segments.at(-2))));
    const { code, text } = restore("gap", "latest");
    expect([code, text]).toEqual([2, expect.stringContaining("has a gap after the backup")]);
  });

  it("is possible again after the next backup, which removes the archive before it", async () => {
    const command = ["backup", "create", backups, ...withKey, "--keep", "1"];
    const wal = path.join(backups, "wal", present(readdirSync(path.join(backups, "wal"))[0]));
    const former = readdirSync(wal).toSorted()[0];
    expect(run(product.folder, command, settings).text).toContain("older backups are removed");
    expect(readdirSync(wal)).not.toContain(former);
    await addPatient("later");
    await waitForArchive();
    expect(restore("again", "latest").code).toBe(0);
    expect(await listPatients("again")).toContain("later");
  });

  it("an archive whose target cannot be written keeps its segments, and goes on when it can", async () => {
    await expect
      .poll(() => {
        // The archive may just make the folder again.
        rmSync(path.join(backups, "wal"), { recursive: true, force: true });
        writeFileSync(path.join(backups, "wal"), "no folder");
        return true;
      })
      .toBe(true);
    await addPatient("waiting");
    await expect
      .poll(async () => (await readStatus({ dataDir: product.folder }))?.fault ?? null, { timeout: 60_000 })
      .toMatch(/ENOTDIR|EEXIST/);
    const waiting = await measureWaiting({ dataDir: product.folder });
    expect(waiting.count).toBeGreaterThan(0);
    rmSync(path.join(backups, "wal"));
    await expect
      .poll(async () => (await readStatus({ dataDir: product.folder }))?.fault, { timeout: 90_000 })
      .toBe(null);
    expect(readdirSync(path.join(backups, "wal")).length).toBe(1);
  });
});

async function createClinic(): Promise<string> {
  const manager = await product.register("moments@example.test", "clinicManager");
  const made = await product.call(
    institutionCalls.create,
    { type: "clinic", name: "Clinic of moments", country: "CN" },
    { token: manager },
  );
  return (await product.call(institutionCalls.switch, { iid: made.id }, { token: manager })).token;
}

async function setLogo(): Promise<void> {
  const image = await sharp({ create: { width: 600, height: 200, channels: 4, background: "#205080" } })
    .png()
    .toBuffer();
  await product.call(institutionCalls.setLogo, { place: "inside", image: image.toString("base64") }, { token });
}

const addPatient = (name: string) =>
  product.call(patientCalls.create, { name, sex: "other", birthDate: "1990-01-01" }, { token });

async function listPatients(target: string): Promise<string[]> {
  const postgres = await startPostgres({ folder: path.join(place, target, "postgres") });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select name from patient where name not like 'filler%' order by 1",
  );
  await client.end();
  await postgres.stop();
  return rows.map(({ name }) => name);
}
