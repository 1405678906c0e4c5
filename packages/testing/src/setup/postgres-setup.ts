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
import { connectionForDatabase, templateDatabase } from "./template-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: pg.PoolConfig;
  }
}

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

/** Migrates the template, including the job queue's tables, and removes the row that belongs to one store alone. */
export async function prepareTemplate(connection: pg.PoolConfig, folder: string): Promise<void> {
  await migrate(connection);
  const database = openDatabase(connection, 2);
  const { jobs } = await openServices(readConfig({ DATA_DIR: path.join(folder, "template") }), database, connection);
  await jobs.stop(0);
  await database.asSystem((db) => db.deleteFrom("storage").execute());
  await database.close();
}
