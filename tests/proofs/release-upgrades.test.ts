import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { createJourneyWorld, signIn, takeMainJourney } from "@arcada/testing/fixtures/main-journey";
import { releaseFixtures, restoreReleaseFixture, writeReleaseFixture } from "@arcada/testing/fixtures/release-fixture";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";
import { migrate, readMigrationStatus } from "../../apps/server/src/platform/database/migrate.ts";
import { listMigrations, migrationFolder } from "../../apps/server/src/platform/database/migration-files.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";

const place = mkdtempSync(path.join(tmpdir(), "arcada-releases-"));
const laterServer = path.join(import.meta.dirname, "../../packages/testing/src/workers/later-server.ts");
const products: Product[] = [];
afterAll(async () => {
  for (const product of products) await product.stop();
  rmSync(place, { recursive: true, force: true });
});

const releases = existsSync(releaseFixtures)
  ? readdirSync(releaseFixtures).filter((name) => name.endsWith(".pack.zst"))
  : [];

describe("T-34: the data folder of a release", () => {
  it.each(releases)("%s is upgraded at the start, and the main journey works in it", async (name) => {
    const dataDir = mkdtempSync(path.join(place, "released-"));
    const { world, settings } = await restoreReleaseFixture(path.join(releaseFixtures, name), dataDir);
    const product = await startProduct(new Product(settings, dataDir));
    await takeMainJourney(product, world);
  });

  it("of this version is upgraded by a later one, and the main journey works in it", async () => {
    const file = path.join(place, "fixture", "0.0.0.pack.zst");
    mkdirSync(path.dirname(file));
    await writeReleaseFixture(file);
    expect(statSync(file).size).toBeLessThan(1_000_000);
    const dataDir = mkdtempSync(path.join(place, "later-"));
    const { world, settings, migrations } = await restoreReleaseFixture(file, dataDir);
    expect(migrations).toEqual((await listMigrations()).map(({ name }) => name));
    const later = addMigration();
    const product = await startProduct(new Product({ ...settings, LATER_MIGRATIONS: later }, dataDir, laterServer));
    await takeMainJourney(product, world);
    await product.stop();
    const postgres = await startPostgres({ folder: path.join(dataDir, "postgres") });
    const { migrations: applied } = await readMigrationStatus(postgres.connection, later);
    await postgres.stop();
    expect(applied.filter(({ at }) => at === null)).toEqual([]);
    expect(applied.at(-1)?.name).toBe("9001-later.sql");
    await expect(new Product(settings, dataDir).start()).rejects.toThrow(
      "The database is newer than this program: it knows 9001-later.sql. Start the version of Arcada that was used last, or a later one.",
    );
  }, 180_000);
});

describe("a process of the former version", () => {
  it("answers every call while and after a later version has expanded the tables", async () => {
    const DATABASE_URL = await createDatabaseUrl();
    const product = await startProduct(
      new Product({ DATABASE_URL, SECRET_KEY: "a-key-that-both-versions-share-0123" }),
    );
    const world = await createJourneyWorld(product);
    const token = await signIn(product, world.clinic);
    const state = { over: false, answers: 0 };
    const read = async (): Promise<void> => {
      for (; !state.over; state.answers++)
        await product.call(patientCalls.detail, { id: world.case.patientId }, { token });
    };
    const reading = Promise.all([read(), read(), read()]);
    reading.catch(() => {});
    await expect.poll(() => state.answers).toBeGreaterThan(100);
    expect(await migrate({ connectionString: DATABASE_URL }, { folder: addMigration() })).toEqual(["9001-later.sql"]);
    const before = state.answers;
    await expect.poll(() => state.answers).toBeGreaterThan(before + 100);
    state.over = true;
    await reading;
    await takeMainJourney(product, world);
  }, 120_000);
});

async function startProduct(product: Product): Promise<Product> {
  products.push(product);
  await product.start();
  return product;
}

/** Returns a folder with the migrations of this version, and one that expands tables in every way that the rules allow. */
function addMigration(): string {
  const folder = mkdtempSync(path.join(place, "migrations-"));
  cpSync(migrationFolder, folder, { recursive: true });
  writeFileSync(
    path.join(folder, "9001-later.sql"),
    `create table later (
       institution_id uuid not null references institution,
       id uuid not null,
       patient_id uuid not null,
       note text not null default '',
       primary key (institution_id, id),
       foreign key (institution_id, patient_id) references patient on delete cascade
     );
     select arcada_wall('later', 'institution_id = arcada_iid()');
     alter table patient add column later_number int not null default 7;
     alter table study add column later_text text;
     alter table orders add column later_flag boolean not null default false;
     create index patient_later on patient (institution_id, later_number);
     alter table patient add constraint patient_later_check check (later_number > 0) not valid;`,
  );
  return folder;
}
