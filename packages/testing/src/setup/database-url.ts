import pg from "pg";
import { inject } from "vitest";

/** Returns the address of an empty database on the test run's server, for products that are separate processes. */
export async function createDatabaseUrl(): Promise<string> {
  const connection = inject("postgres");
  const name = `p_${process.pid}_${Date.now()}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return databaseUrl(connection, name);
}

/** Returns the connection as a URL, for a separate process. */
export function databaseUrl(connection: pg.PoolConfig, name = connection.database): string {
  if (connection.connectionString)
    return Object.assign(new URL(connection.connectionString), name && { pathname: `/${name}` }).href;
  return `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(String(connection.host))}&port=${connection.port}`;
}
