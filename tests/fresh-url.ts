import pg from "pg";
import { inject } from "vitest";

/** The address of an empty database on the test run's server, for products that are processes of their own. */
export async function freshUrl(): Promise<string> {
  const connection = inject("postgres");
  const name = `p_${process.pid}_${Date.now()}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return urlOf(connection, name);
}

/** The same connection as an address, as a process of its own is told it. */
export function urlOf(connection: pg.PoolConfig, name = connection.database): string {
  if (connection.connectionString)
    return Object.assign(new URL(connection.connectionString), name && { pathname: `/${name}` }).href;
  return `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(String(connection.host))}&port=${connection.port}`;
}
