import type pg from "pg";
import type { Config } from "../runtime/config.ts";
import type { DatabaseRoutes } from "./database.ts";

/**
 * The address of the operator's own PostgreSQL on which a connection keeps its session, for everything that needs one:
 * LISTEN, locks of a session, migrations, backups. Null: the embedded database is used.
 */
export function externalDatabase({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
}: Pick<Config, "DATABASE_URL" | "DATABASE_DIRECT_URL">): pg.PoolConfig | null {
  const connectionString = DATABASE_DIRECT_URL ?? DATABASE_URL;
  return connectionString === undefined ? null : { connectionString };
}

/** The pooler and the replica that the configuration names. */
export const databaseRoutes = ({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  DATABASE_READ_URL,
  DATABASE_READ_DELAY,
}: Config): DatabaseRoutes => ({
  pooler: DATABASE_DIRECT_URL ? { connectionString: DATABASE_URL } : undefined,
  replica: DATABASE_READ_URL
    ? { connection: { connectionString: DATABASE_READ_URL }, maxDelaySeconds: DATABASE_READ_DELAY }
    : undefined,
});
