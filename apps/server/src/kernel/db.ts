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
import type { Tables } from "../tables/tables.ts";
import { gatheringSocket } from "./gathering-socket.ts";
import { askBy, namingPool, planMark } from "./planned-once.ts";

// DATE as text: parsed as local midnight it slips a day; int8 as number: our counts stay below 2^53.
const plainTypes = new Map<number, (value: string) => unknown>([
  [1082, String],
  [20, Number],
  [1184, (value) => isoInstant(value)],
  // A wall clock without a zone stays one.
  [1114, (value) => value.replace(" ", "T")],
]);
/** The database speaks in UTC, then an instant needs no more than its letters changed; it is cut to the millisecond. */
const isoInstant = (value: string): string =>
  value[10] === " " && value.endsWith("+00")
    ? `${value.slice(0, 10)}T${value.slice(11, 19)}${(value.slice(19, -3) || ".").padEnd(4, "0").slice(0, 4)}Z`
    : new Date(value).toISOString();
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    plainTypes.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** For whom a transaction runs. `system` stands over the organisations' walls; `service` opens the tables of the service. */
export type Wall =
  | { system: true }
  | { system: false; iid: string | null; uid: string | null; service?: boolean | undefined };
export type Db = Transaction<Tables>;

/** What a transaction knows of itself. */
interface Course {
  wall: Wall;
  /** The trip that opens it, which nobody has waited for yet. */
  begun: Promise<unknown>;
  /** The way on which its statements travel, one behind the other. */
  way: DatabaseConnection | null;
  /** What was sent without anybody waiting for its answer. */
  sent: Promise<unknown>[];
  /** What travels with the commit. */
  last: CompiledQuery[];
  /** What open tabs are told at the commit. */
  news: Set<string>;
}
const begin = (wall: Wall): Course => ({
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
  /** One transaction behind the wall; what is thrown rolls it back. */
  as<T>(wall: Wall, work: (db: Db) => Promise<T>): Promise<T>;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** One question over the walls, in one trip; it changes nothing. */
  lookUp<T>(question: RawBuilder<T>): Promise<T[]>;
  /** The same behind the wall, with what is written of it; `read` makes the answer while that reaches the disk. */
  ask<T>(wall: Wall, asking: Asking<T>): Promise<T>;
  close(): Promise<void>;
}

interface Asking<T> {
  /** The last one is answered. */
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
    stream: gatheringSocket,
    options:
      "-c role=arcada_app -c TimeZone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000",
  });
  // Without a listener a restart of the database would end this process.
  pool.on("error", () => {});
  // Nor may a connection that breaks while somebody holds it: what was asked of it fails, and the pool lets it go.
  pool.on("connect", (client) => client.on("error", () => {}));
  const kysely = new Kysely<Tables>({ dialect: walledDialect({ pool: namingPool(pool) }) });
  const as = <T>(wall: Wall, work: (db: Db) => Promise<T>): Promise<T> => {
    const course = begin(wall);
    return courses
      .run(course, () => kysely.transaction().execute((db) => work(db)))
      .catch(async (error: unknown) => {
        throw (await causeOf(error, course)) ?? error;
      });
  };
  const ask = async <T>(wall: Wall, { questions, written, read }: Asking<T>): Promise<T> => {
    const client = await pool.connect();
    const send = (statement: RawBuilder<unknown>) => {
      const { sql: text, parameters } = statement.compile(kysely);
      return askBy(client, text, [...parameters]);
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

/** A statement fails behind one that failed and that nobody waited for: that one says why. */
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
const beginFor = (wall: Wall): string =>
  wall.system
    ? "begin; set local role arcada_system"
    : `begin; select set_config('arcada.iid', ${setting(wall.iid)}, true), set_config('arcada.uid', ${setting(wall.uid)}, true)${wall.service ? ", set_config('arcada.service', 'on', true)" : ""}`;

/**
 * Sends the wall ahead of the first statement and the last statements along with the commit: two trips to the database
 * for a call with one query, not four. A begin that failed leaves nobody behind the wall, to whom nothing is shown.
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

const telling = `${planMark} select pg_notify('arcada_live', news) from unnest($1::text[]) news`;

/**
 * Sends this now and waits for no answer: what is asked next finds it done, and should it fail nothing is kept. Each trip
 * that is waited for costs both sides more than most of our statements.
 */
export function withoutWaiting(db: Db, statement: RawBuilder<unknown> | CompiledQuery): void {
  const { way, sent } = courses.getStore()!;
  const trip = way!.executeQuery("compile" in statement ? statement.compile(db) : statement);
  trip.catch(() => {});
  sent.push(trip);
}

/** Sends these one behind the other and waits once for the answers of all; null is not asked, its answer is empty. */
export function together<const Q extends readonly (RawBuilder<unknown> | null)[]>(
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

/** Leaves for open tabs when this transaction is committed, once however often it is said. */
export const tellWithCommit = (_db: Db, message: string): void => void courses.getStore()!.news.add(message);

/** Writes this at the end of the transaction that runs, in the trip of its commit; should it fail, nothing is kept. */
export function withCommit(db: Db, statement: RawBuilder<unknown>): void {
  courses.getStore()!.last.push(statement.compile(db));
}

/**
 * Steps over the organisation's wall inside the same transaction, for what a service has already decided: a row of the
 * other side of an order, a membership. Never pass it a condition that comes from outside.
 */
export async function beyondWall<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const course = courses.getStore();
  if (!course || course.wall.system) return work();
  withoutWaiting(db, sql`set local role arcada_system`);
  // Whoever steps over it inside is over it already, and must not come back before this is done.
  const result = await courses.run({ ...course, wall: { system: true } }, work);
  withoutWaiting(db, sql`set local role arcada_app`);
  return result;
}
