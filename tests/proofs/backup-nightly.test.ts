import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { findLatestRuns } from "../../apps/server/src/platform/backup/backup-runs.ts";
import { startNightlyBackups } from "../../apps/server/src/platform/backup/nightly-backups.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { EmbeddedPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { readConfig } from "../../apps/server/src/platform/runtime/config.ts";
import { run } from "./support/backup-commands.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-nightly-"));
const dataDir = path.join(place, "data");
const keyFile = path.join(place, "key");
let postgres: EmbeddedPostgres;
let database: Database;
let nightly: ReturnType<typeof startNightlyBackups>;

beforeAll(async () => {
  writeFileSync(keyFile, randomBytes(32).toString("base64"));
  expect(run(dataDir, ["admin", "create-operator", "--email", "nightly@example.test"]).code).toBe(0);
  postgres = await startPostgres({ folder: path.join(dataDir, "postgres") });
  database = openDatabase(postgres.connection, 2);
});
afterEach(async () => nightly?.stop());
afterAll(async () => {
  await database.close();
  await postgres.stop();
  rmSync(place, { recursive: true, force: true });
});

const begin = (name: string, key: string): string => {
  const backups = path.join(place, name);
  const config = readConfig({ DATA_DIR: dataDir, ARCADA_DEMO: "off", BACKUP_DIR: backups, BACKUP_KEY_FILE: key });
  nightly = startNightlyBackups(config, database, 100);
  return backups;
};
const readRuns = () => database.asSystem(findLatestRuns);

describe("a night", { timeout: 120_000 }, () => {
  it("with a key that cannot be read records the failure once, and tries again later", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    begin("wrong", path.join(place, "missing"));
    await expect.poll(async () => (await readRuns()).failure?.fault, { timeout: 60_000 }).toMatch(/cannot be read/);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(log.mock.calls.filter(([line]) => String(line).includes("nightly backup")).length).toBe(1);
    log.mockRestore();
    await database.asSystem((db) => db.deleteFrom("backup_run").execute());
  });

  it("makes a backup, verifies it, and rests", async () => {
    const backups = begin("backups", keyFile);
    await expect.poll(async () => (await readRuns()).verified, { timeout: 90_000 }).not.toBe(null);
    const { backup, failure, verification } = await readRuns();
    expect(failure).toBe(null);
    expect(verification).toMatchObject({ ok: true, name: backup?.name, target: backups });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(readdirSync(backups).filter((name) => /^\d/.test(name)).length).toBe(1);
  });
});
