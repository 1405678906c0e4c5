import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import pg from "pg";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../../../apps/server/src/platform/database/migrate.ts";
import { startPostgres } from "../../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { openServices } from "../../../../apps/server/src/platform/runtime/open-services.ts";
import { present } from "../require-present.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: pg.PoolConfig;
  }
}

const templateDatabase = "arcada_template";

/**
 * One PostgreSQL for a whole test run, with a migrated database that each test file copies. With ARCADA_TEST_DATABASE (a
 * superuser's URL of a server of your own) that one is used instead.
 */
export default async function startPostgresForTests(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-test-"));
  const given = process.env.ARCADA_TEST_DATABASE;
  const embedded = given
    ? null
    : await startPostgres({
        folder: path.join(folder, "postgres"),
        settings: { fsync: "off", max_connections: "300" },
      });
  const connection: pg.PoolConfig = given ? { connectionString: given } : present(embedded).connection;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`drop database if exists ${templateDatabase}`);
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  await prepareTemplate({ ...connectionForDatabase(connection, templateDatabase) }, folder);
  project.provide("postgres", connection);
  return async () => {
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

export function connectionForDatabase(connection: pg.PoolConfig, name: string): pg.PoolConfig {
  if (!connection.connectionString) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}

/** Copies the migrated database of the test run, and returns the connection to the copy. */
export async function copyTemplate(connection: pg.PoolConfig, name: string): Promise<pg.PoolConfig> {
  const admin = new pg.Client(connection);
  await admin.connect();
  // Two files copying the template at once wait for each other: PostgreSQL allows one reader of a template at a time.
  await admin.query("select pg_advisory_lock(7)");
  // Files are copied in a third of the time that the pages of 20 MB take through the log and the shared buffers.
  await admin.query(`create database ${name} template ${templateDatabase} strategy file_copy`);
  await admin.end();
  return connectionForDatabase(connection, name);
}

/** Migrates the template, including the job queue's tables, and removes the row that belongs to one store alone. */
export async function prepareTemplate(connection: pg.PoolConfig, folder: string): Promise<void> {
  await migrate(connection);
  const database = openDatabase(connection, 2);
  const { jobs } = await openServices(readConfig({ DATA_DIR: path.join(folder, "template") }), database, connection);
  await jobs.stop(0);
  await database.asSystem((db) => db.deleteFrom("storage").execute());
  await database.close();
}
