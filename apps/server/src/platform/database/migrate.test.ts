import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { StartError } from "../runtime/config.ts";
import { migrate, readMigrationStatus, tryMigrations } from "./migrate.ts";
import { listMigrations, migrationFolder } from "./migration-files.ts";

const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

describe("migrating a database", () => {
  it("applies nothing to a database of this version", async () => {
    const { connection } = await migratedDatabase();
    expect(await migrate(connection)).toEqual([]);
  });

  it("refuses a database of a version before 1.0 and names what to do", async () => {
    const { connection, client } = await migratedDatabase();
    await client.query("update migration set name = '0001-kernel.sql' where name = '0001-platform.sql'");
    await expect(migrate(connection)).rejects.toThrow(StartError);
    await expect(migrate(connection)).rejects.toThrow(
      "This database was created by a version of Arcada before 1.0, whose data cannot be upgraded. Start with empty data: a new folder in DATA_DIR and, where DATABASE_URL is set, a new database.",
    );
  });

  it("leaves a refused database as it is", async () => {
    const { connection, client } = await migratedDatabase();
    await client.query("delete from migration where name <> '0002-account.sql'");
    await client.query("drop table code_key");
    await expect(migrate(connection)).rejects.toThrow("before 1.0");
    expect((await client.query("select name from migration")).rows).toEqual([{ name: "0002-account.sql" }]);
    expect((await client.query("select to_regclass('code_key') as found")).rows).toEqual([{ found: null }]);
  });

  it("refuses a database of a newer version", async () => {
    const { connection, client } = await migratedDatabase();
    await client.query("insert into migration (name, sha256) values ('9999-later.sql', '')");
    await expect(migrate(connection)).rejects.toThrow(
      "The database is newer than this program: it knows 9999-later.sql. Start the version of Arcada that was used last, or a later one.",
    );
  });

  it("refuses a migration that was changed after it had been applied", async () => {
    const { connection, client } = await migratedDatabase();
    await client.query("update migration set sha256 = '' where name = '0001-platform.sql'");
    await expect(migrate(connection)).rejects.toThrow("Migration 0001-platform.sql was changed");
  });

  it("continues where an earlier run was interrupted", async () => {
    const { connection, client } = await migratedDatabase();
    await client.query("drop table feedback_word, feedback_file, software_feedback");
    await client.query("delete from migration where name = '0029-feedback.sql'");
    expect(await migrate(connection)).toEqual(["0029-feedback.sql"]);
  });
});

describe("a migration of a later version", () => {
  it("is tried without leaving anything in the database", async () => {
    const { connection, client, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "create table later (id int primary key);");
    expect((await tryMigrations(connection, migrations)).map(({ name }) => name)).toEqual(["9001-later.sql"]);
    expect((await client.query("select to_regclass('later') as found")).rows).toEqual([{ found: null }]);
    expect((await readMigrationStatus(connection, migrations)).migrations.at(-1)?.at).toBeNull();
  });

  it("reports its fault when it is tried, and changes nothing", async () => {
    const { connection, client, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "create table later (id int); insert into nowhere values (1);");
    await expect(tryMigrations(connection, migrations)).rejects.toThrow(
      'migration 9001-later.sql: relation "nowhere" does not exist',
    );
    expect((await client.query("select to_regclass('later') as found")).rows).toEqual([{ found: null }]);
  });

  it("is refused in one sentence if a long transaction keeps its table", async () => {
    const { connection, client, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "alter table patient add column later text;");
    await client.query("begin; select count(*) from patient");
    const trial = tryMigrations(connection, migrations);
    await expect(trial).rejects.toThrow(StartError);
    await expect(trial).rejects.toThrow("Migration 9001-later.sql did not get a table that another transaction keeps");
    await client.query("rollback");
  });

  it("waits for a table that a long transaction uses, in short attempts that let others pass", async () => {
    const { connection, client, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "alter table patient add column later text;");
    await client.query("begin; select count(*) from patient");
    const migrating = migrate(connection, { folder: migrations });
    const other = new pg.Client(connection);
    clients.push(other);
    await other.connect();
    await expect
      .poll(
        async () =>
          (await other.query("select from pg_locks where relation = 'patient'::regclass and not granted")).rowCount,
      )
      .toBe(1);
    // Behind the waiting migration a reader waits, too, until the attempt ends.
    const began = performance.now();
    await other.query("select count(*) from patient");
    expect(performance.now() - began).toBeLessThan(8000);
    await client.query("commit");
    expect(await migrating).toEqual(["9001-later.sql"]);
  });
});

describe("the least version", () => {
  const release = async (folder: string, upgradesFrom: string) => {
    const names = (await listMigrations(folder)).map(({ name, sha256 }) => [name, sha256] as const);
    const releases = [
      { version: "1.0.0", migrations: Object.fromEntries(names.slice(0, -1)) },
      { version: "1.1.0", migrations: Object.fromEntries(names.slice(-1)) },
    ];
    writeFileSync(path.join(folder, "releases.json"), JSON.stringify({ upgradesFrom, releases }));
  };

  it("refuses a database of an older release and names both", async () => {
    const { connection, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "create table later (id int);");
    await release(migrations, "1.1.0");
    const sentence =
      "The database is that of Arcada 1.0.0, and this version upgrades from 1.1.0 on: start Arcada 1.1.0 once, then this version.";
    await expect(migrate(connection, { folder: migrations })).rejects.toThrow(sentence);
    expect(await readMigrationStatus(connection, migrations)).toMatchObject({ release: "1.0.0", refusal: sentence });
  });

  it("accepts a database of that release", async () => {
    const { connection, folder } = await migratedDatabase();
    const migrations = addMigration(folder, "create table later (id int);");
    await release(migrations, "1.0.0");
    expect(await migrate(connection, { folder: migrations })).toEqual(["9001-later.sql"]);
    expect(await readMigrationStatus(connection, migrations)).toMatchObject({ release: "1.1.0", refusal: null });
  });
});

/** Returns a folder with the migrations of this version and one more. */
function addMigration(place: string, sql: string): string {
  const folder = mkdtempSync(path.join(place, "migrations-"));
  cpSync(migrationFolder, folder, { recursive: true });
  writeFileSync(path.join(folder, "9001-later.sql"), sql);
  return folder;
}

async function migratedDatabase() {
  const { connection, folder } = await createTestDatabase();
  const client = new pg.Client(connection);
  clients.push(client);
  await client.connect();
  return { connection, client, folder };
}
