import { AsyncLocalStorage } from "node:async_hooks";
import {
  CompiledQuery,
  Kysely,
  sql,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { DatabaseConnection, Dialect, PostgresDialectConfig, RawBuilder, Transaction } from "kysely";
import pg from "pg";
import type { Tables } from "../../tables/tables.ts";
import { corkedSocket } from "./corked-socket.ts";
import { queryPrepared, preparingPool, preparedMark } from "./prepared-statements.ts";

// DATE stays text: parsed as local midnight it would shift by a day. int8 becomes a number: our counts stay below 2^53.
const plainTypes = new Map<number, (value: string) => unknown>([
  [1082, String],
  [20, Number],
  [1184, (value) => isoInstant(value)],
  // A timestamp without time zone stays one.
  [1114, (value) => value.replace(" ", "T")],
]);
/**
 * Converts PostgreSQL's text of an instant. The database uses UTC, so only the notation changes; the instant is cut to
 * the millisecond.
 */
const isoInstant = (value: string): string =>
  value[10] === " " && value.endsWith("+00")
    ? `${value.slice(0, 10)}T${value.slice(11, 19)}${(value.slice(19, -3) || ".").padEnd(4, "0").slice(0, 4)}Z`
    : new Date(value).toISOString();
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    plainTypes.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * The tenant scope of a transaction. `system` bypasses row-level security; `service` opens the tables of the platform's
 * service.
 */
export type TenantScope =
  | { system: true }
  | { system: false; iid: string | null; uid: string | null; service?: boolean | undefined };
export type Db = Transaction<Tables>;

/** The transaction context. */
interface Course {
  wall: TenantScope;
  /** The statement that opens the transaction, which nobody has awaited yet. */
  begun: Promise<unknown>;
  /** The connection on which its statements are sent in order. */
  way: DatabaseConnection | null;
  /** The statements that were sent and whose results nobody awaits. */
  sent: Promise<unknown>[];
  /** The statements that are sent together with the commit. */
  last: CompiledQuery[];
  /** The notifications that open clients receive at the commit. */
  news: Set<string>;
}
const begin = (wall: TenantScope): Course => ({
  wall,
  begun: Promise.resolve(),
  way: null,
  sent: [],
  last: [],
  news: new Set(),
});
const courses = new AsyncLocalStorage<Course>();

export interface Database {
  pool: pg.Pool;
  /** Runs one transaction in a tenant scope; an error rolls it back. */
  as<T>(wall: TenantScope, work: (db: Db) => Promise<T>): Promise<T>;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one read-only query outside the tenant scope, in one round trip. */
  lookUp<T>(question: RawBuilder<T>): Promise<T[]>;
  /**
   * Does the same inside the tenant scope, together with the rows to write; `read` makes the response while they reach
   * the disk.
   */
  ask<T>(wall: TenantScope, asking: Asking<T>): Promise<T>;
  close(): Promise<void>;
}

interface Asking<T> {
  /** The rows of the last query are passed to `read`. */
  questions: readonly RawBuilder<unknown>[];
  written: readonly RawBuilder<unknown>[];
  read: (rows: unknown[]) => T;
}

export function openDatabase(connection: pg.PoolConfig, size = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: size,
    pipeline: true,
    stream: corkedSocket,
    options:
      "-c role=arcada_app -c TimeZone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000",
  });
  // Without a listener, a restart of the database would end this process.
  pool.on("error", () => {});
  // The same holds for a connection that breaks while it is in use: its queries fail, and the pool drops it.
  pool.on("connect", (client) => client.on("error", () => {}));
  const kysely = new Kysely<Tables>({ dialect: walledDialect({ pool: preparingPool(pool) }) });
  const as = <T>(wall: TenantScope, work: (db: Db) => Promise<T>): Promise<T> => {
    const course = begin(wall);
    return courses
      .run(course, () => kysely.transaction().execute((db) => work(db)))
      .catch(async (error: unknown) => {
        throw (await causeOf(error, course)) ?? error;
      });
  };
  const ask = async <T>(wall: TenantScope, { questions, written, read }: Asking<T>): Promise<T> => {
    const client = await pool.connect();
    const send = (statement: RawBuilder<unknown>) => {
      const { sql: text, parameters } = statement.compile(kysely);
      return queryPrepared(client, text, [...parameters]);
    };
    try {
      const begun = client.query(beginFor(wall));
      const asked = questions.map(send);
      const answer = asked.at(-1)!.then(({ rows }) => read(rows));
      const trips = await Promise.allSettled([begun, ...asked, ...written.map(send), client.query("commit"), answer]);
      const broken = trips.find((trip) => trip.status === "rejected");
      if (broken) throw broken.reason;
      return await answer;
    } finally {
      client.release();
    }
  };
  const lookUp = <T>(question: RawBuilder<T>): Promise<T[]> =>
    ask({ system: true }, { questions: [question], written: [], read: (rows) => rows as T[] });
  return { pool, as, asSystem: (work) => as({ system: true }, work), lookUp, ask, close: () => kysely.destroy() };
}

/** If a statement fails because an earlier one that nobody awaited had failed, returns the error of that one. */
async function causeOf(error: unknown, { begun, sent }: Course): Promise<unknown> {
  if ((error as { code?: string }).code !== failedBefore) return undefined;
  const trips = await Promise.allSettled([begun, ...sent]);
  return trips.find((trip) => trip.status === "rejected")?.reason;
}
/** PostgreSQL: commands are ignored until the transaction ends. */
const failedBefore = "25P02";

const uuid = /^[0-9a-f-]{36}$/;
const setting = (value: string | null): string => {
  if (value !== null && !uuid.test(value)) throw new TypeError("not an identifier");
  return `'${value ?? ""}'`;
};
const beginFor = (wall: TenantScope): string =>
  wall.system
    ? "begin; set local role arcada_system"
    : `begin; select set_config('arcada.iid', ${setting(wall.iid)}, true), set_config('arcada.uid', ${setting(wall.uid)}, true)${wall.service ? ", set_config('arcada.service', 'on', true)" : ""}`;

/**
 * Sends the tenant scope ahead of the first statement, and the last statements along with the commit: a call with one
 * query needs two round trips, not four. If the begin fails, no scope is set and nothing is visible.
 */
function walledDialect(config: PostgresDialectConfig): Dialect {
  class WalledDriver extends PostgresDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      const course = courses.getStore();
      if (!course) throw new Error("a transaction without a wall");
      course.way = connection;
      course.begun = connection.executeQuery(CompiledQuery.raw(beginFor(course.wall)));
      course.begun.catch(() => {});
    }
    override async commitTransaction(connection: DatabaseConnection): Promise<void> {
      const { begun, sent, last, news } = courses.getStore()!;
      if (news.size > 0) last.push(CompiledQuery.raw(telling, [[...news]]));
      const ending = last.splice(0).map((query) => connection.executeQuery(query));
      const trips = await Promise.allSettled([begun, ...sent, ...ending, super.commitTransaction(connection)]);
      const broken = trips.find((trip) => trip.status === "rejected");
      if (broken) throw broken.reason;
    }
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new WalledDriver(config),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

const telling = `${preparedMark} select pg_notify('arcada_live', news) from unnest($1::text[]) news`;

/**
 * Sends a statement without waiting for its result: later statements see its effect, and if it fails, the transaction
 * fails. Each round trip that is awaited costs both sides more than most of our statements.
 */
export function sendPipelined(db: Db, statement: RawBuilder<unknown> | CompiledQuery): void {
  const { way, sent } = courses.getStore()!;
  const trip = way!.executeQuery("compile" in statement ? statement.compile(db) : statement);
  trip.catch(() => {});
  sent.push(trip);
}

/** Sends these statements in a pipeline and waits once for all results. A null is not sent; its result is empty. */
export function queryPipelined<const Q extends readonly (RawBuilder<unknown> | null)[]>(
  db: Db,
  questions: Q,
): Promise<Answers<Q>> {
  const { way } = courses.getStore()!;
  const trips = questions.map(async (question) =>
    question === null ? [] : (await way!.executeQuery(question.compile(db))).rows,
  );
  return Promise.all(trips) as Promise<Answers<Q>>;
}
type Answers<Q extends readonly (RawBuilder<unknown> | null)[]> = {
  -readonly [K in keyof Q]: Q[K] extends RawBuilder<infer Row> | null ? Row[] : never;
};

/** Notifies open clients when this transaction is committed, once per message. */
export const notifyOnCommit = (_db: Db, message: string): void => void courses.getStore()!.news.add(message);

/**
 * Sends a statement at the end of the current transaction, in the round trip of its commit; if it fails, the
 * transaction fails.
 */
export function runOnCommit(db: Db, statement: RawBuilder<unknown>): void {
  courses.getStore()!.last.push(statement.compile(db));
}

/**
 * Bypasses the tenant scope inside the same transaction, for what a service has already decided: a row of the other
 * side of an order, a membership. Never pass it a condition that comes from outside.
 */
export async function bypassTenantScope<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const course = courses.getStore();
  if (!course || course.wall.system) return work();
  sendPipelined(db, sql`set local role arcada_system`);
  // A nested call is outside the tenant scope already and must not switch the role back before this one is done.
  const result = await courses.run({ ...course, wall: { system: true } }, work);
  sendPipelined(db, sql`set local role arcada_app`);
  return result;
}
