import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/platform-database";
import { StartError } from "../runtime/config.ts";
import { migrate } from "./migrate.ts";

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
      "The database is newer than this program: it knows 9999-later.sql.",
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

async function migratedDatabase() {
  const { connection } = await createTestDatabase();
  const client = new pg.Client(connection);
  clients.push(client);
  await client.connect();
  return { connection, client };
}
