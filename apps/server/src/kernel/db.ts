import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, Kysely, sql, PostgresAdapter, PostgresDriver, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { DatabaseConnection, Dialect, PostgresDialectConfig, Transaction } from "kysely";
import pg from "pg";
import type { Tables } from "../tables/tables.ts";

// DATE as text: parsed as local midnight it slips a day; int8 as number: our counts stay below 2^53.
const plainTypes = new Map<number, (value: string) => unknown>([
  [1082, String],
  [20, Number],
  [1184, (value) => isoInstant(value)],
]);
const isoInstant = (value: string): string => new Date(value).toISOString();
const types = { getTypeParser: ((oid: number, format?: "text") => plainTypes.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser };

/** For whom a transaction runs. `system` stands over the organisations' walls. */
export type Wall = { system: true } | { system: false; iid: string | null; uid: string | null };
export type Db = Transaction<Tables>;

const walls = new AsyncLocalStorage<Wall>();

export interface Database {
  pool: pg.Pool;
  /** One transaction behind the wall; what is thrown rolls it back. */
  as<T>(wall: Wall, work: (db: Db) => Promise<T>): Promise<T>;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openDatabase(connection: pg.PoolConfig, size = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: size,
    options: "-c role=arcada_app -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000",
  });
  // Without a listener a restart of the database would end this process.
  pool.on("error", () => {});
  const kysely = new Kysely<Tables>({ dialect: walledDialect({ pool }) });
  const as = <T>(wall: Wall, work: (db: Db) => Promise<T>): Promise<T> =>
    walls.run(wall, () => kysely.transaction().execute((db) => work(db)));
  return { pool, as, asSystem: (work) => as({ system: true }, work), close: () => kysely.destroy() };
}

const uuid = /^[0-9a-f-]{36}$/;
const setting = (value: string | null): string => {
  if (value !== null && !uuid.test(value)) throw new TypeError("not an identifier");
  return `'${value ?? ""}'`;
};
const beginFor = (wall: Wall): string =>
  wall.system
    ? "begin; set local role arcada_system"
    : `begin; select set_config('arcada.iid', ${setting(wall.iid)}, true), set_config('arcada.uid', ${setting(wall.uid)}, true)`;

/** Opens the transaction and puts up its wall in one trip to the database. */
function walledDialect(config: PostgresDialectConfig): Dialect {
  class WalledDriver extends PostgresDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      const wall = walls.getStore();
      if (!wall) throw new Error("a transaction without a wall");
      await connection.executeQuery(CompiledQuery.raw(beginFor(wall)));
    }
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new WalledDriver(config),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Steps over the organisation's wall inside the same transaction, for what a service has already decided: a row of the
 * other side of an order, a membership. Never pass it a condition that comes from outside.
 */
export async function beyondWall<T>(db: Db, work: () => Promise<T>): Promise<T> {
  if (walls.getStore()?.system) return work();
  await sql`set local role arcada_system`.execute(db);
  const result = await work();
  await sql`set local role arcada_app`.execute(db);
  return result;
}
