import type pg from "pg";
import { inject } from "vitest";
import { newId } from "../../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { copyTemplate } from "./template-database.ts";

/** Returns the address of a migrated database on the test run's server, for products that are separate processes. */
export async function createDatabaseUrl(): Promise<string> {
  return databaseUrl(await copyTemplate(inject("postgres"), `p_${newId().replaceAll("-", "")}`));
}

/** Returns the connection as a URL, for a separate process. */
export function databaseUrl(connection: pg.PoolConfig, name = connection.database): string {
  if (connection.connectionString)
    return Object.assign(new URL(connection.connectionString), name && { pathname: `/${name}` }).href;
  return `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(String(connection.host))}&port=${connection.port}`;
}
