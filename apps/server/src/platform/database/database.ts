import { AsyncLocalStorage } from "node:async_hooks";
import { Socket } from "node:net";
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
import { addPosition } from "../live/live-position.ts";
import type { Tables } from "../../tables/schema.generated.ts";
import { sendQuery, withPreparedStatements, preparedMark } from "./prepared-statements.ts";

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
interface TransactionContext {
  tenantScope: TenantScope;
  /** The statement that opens the transaction, which nobody has awaited yet. */
  opened: Promise<unknown>;
  /** The connection on which its statements are sent in order. */
  connection: DatabaseConnection | null;
  /** The statements that were sent and whose results nobody awaits. */
  pending: Promise<unknown>[];
  /** The statements that are sent together with the commit. */
  atCommit: CompiledQuery[];
  /** The notifications that open clients receive at the commit. */
  notifications: Set<string>;
}
const newTransactionContext = (tenantScope: TenantScope): TransactionContext => ({
  tenantScope,
  opened: Promise.resolve(),
  connection: null,
  pending: [],
  atCommit: [],
  notifications: new Set(),
});
const transactionStorage = new AsyncLocalStorage<TransactionContext>();

export interface Database {
  pool: pg.Pool;
  /** Runs one transaction in a tenant scope; an error rolls it back. */
  as<T>(tenantScope: TenantScope, work: (db: Db) => Promise<T>): Promise<T>;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one read-only query outside the tenant scope, in one round trip. */
  queryAsSystem<T>(query: RawBuilder<T>): Promise<T[]>;
  /**
   * Does the same inside the tenant scope, together with the rows to write; `read` makes the response while they reach
   * the disk.
   */
  queryAndWrite<T>(tenantScope: TenantScope, pipelined: PipelinedQuery<T>): Promise<T>;
  close(): Promise<void>;
}

interface PipelinedQuery<T> {
  /** The rows of the last query are passed to `read`. */
  queries: readonly RawBuilder<unknown>[];
  writes: readonly RawBuilder<unknown>[];
  read: (rows: unknown[]) => T;
}

export function openDatabase(connection: pg.PoolConfig, size = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: size,
    pipeline: true,
    stream: createCorkedSocket,
    options:
      "-c role=arcada_app -c TimeZone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000",
  });
  // Without a listener, a restart of the database would end this process.
  pool.on("error", () => {});
  // The same holds for a connection that breaks while it is in use: its queries fail, and the pool drops it.
  pool.on("connect", (client) => client.on("error", () => {}));
  const kysely = new Kysely<Tables>({ dialect: tenantScopedDialect({ pool: withPreparedStatements(pool) }) });
  const runInScope = <T>(tenantScope: TenantScope, work: (db: Db) => Promise<T>): Promise<T> => {
    const transaction = newTransactionContext(tenantScope);
    return transactionStorage
      .run(transaction, () => kysely.transaction().execute((db) => work(db)))
      .catch(async (error: unknown) => {
        throw (await findCause(error, transaction)) ?? error;
      });
  };
  const queryAndWrite = async <T>(
    tenantScope: TenantScope,
    { queries, writes, read }: PipelinedQuery<T>,
  ): Promise<T> => {
    const client = await pool.connect();
    const send = (statement: RawBuilder<unknown>) => {
      const { sql: text, parameters } = statement.compile(kysely);
      return sendQuery(client, text, [...parameters]);
    };
    try {
      const opened = client.query(beginStatement(tenantScope));
      const responses = queries.map(send);
      const output = responses.at(-1)!.then(({ rows }) => read(rows));
      const results = await Promise.allSettled([
        opened,
        ...responses,
        ...writes.map(send),
        client.query("commit"),
        output,
      ]);
      const failed = results.find((result) => result.status === "rejected");
      if (failed) throw failed.reason;
      return await output;
    } finally {
      client.release();
    }
  };
  const queryAsSystem = <T>(query: RawBuilder<T>): Promise<T[]> =>
    queryAndWrite({ system: true }, { queries: [query], writes: [], read: (rows) => rows as T[] });
  return {
    pool,
    as: runInScope,
    asSystem: (work) => runInScope({ system: true }, work),
    queryAsSystem,
    queryAndWrite,
    close: () => kysely.destroy(),
  };
}

/**
 * A socket that sends everything written in one tick in a single write: each write wakes the database's process, which
 * costs more than most of our statements.
 */
function createCorkedSocket(): Socket {
  const socket = new Socket();
  // Only after the connection: a socket that connects restores its own write method.
  socket.once("connect", () => {
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    const writeCorked = (...given: unknown[]): boolean => {
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      return write(...given);
    };
    socket.write = writeCorked as Socket["write"];
  });
  return socket;
}

/** If a statement fails because an earlier one that nobody awaited had failed, returns the error of that one. */
async function findCause(error: unknown, { opened, pending }: TransactionContext): Promise<unknown> {
  if ((error as { code?: string }).code !== failedTransactionCode) return undefined;
  const results = await Promise.allSettled([opened, ...pending]);
  return results.find((result) => result.status === "rejected")?.reason;
}
/** PostgreSQL: commands are ignored until the transaction ends. */
const failedTransactionCode = "25P02";

const uuid = /^[0-9a-f-]{36}$/;
const quoteSetting = (value: string | null): string => {
  if (value !== null && !uuid.test(value)) throw new TypeError("not an identifier");
  return `'${value ?? ""}'`;
};
const beginStatement = (tenantScope: TenantScope): string =>
  tenantScope.system
    ? "begin; set local role arcada_system"
    : `begin; select set_config('arcada.iid', ${quoteSetting(tenantScope.iid)}, true), set_config('arcada.uid', ${quoteSetting(tenantScope.uid)}, true)${tenantScope.service ? ", set_config('arcada.service', 'on', true)" : ""}`;

/**
 * Sends the tenant scope ahead of the first statement, and the last statements along with the commit: a call with one
 * query needs two round trips, not four. If the begin fails, no scope is set and nothing is visible.
 */
function tenantScopedDialect(config: PostgresDialectConfig): Dialect {
  class TenantScopedDriver extends PostgresDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      const transaction = transactionStorage.getStore();
      if (!transaction) throw new Error("a transaction without a wall");
      transaction.connection = connection;
      transaction.opened = connection.executeQuery(CompiledQuery.raw(beginStatement(transaction.tenantScope)));
      transaction.opened.catch(() => {});
    }
    override async commitTransaction(connection: DatabaseConnection): Promise<void> {
      const { opened, pending, atCommit, notifications } = transactionStorage.getStore()!;
      if (notifications.size > 0)
        atCommit.push(CompiledQuery.raw(notifyStatement, [Array.from(notifications, addPosition)]));
      const ending = atCommit.splice(0).map((query) => connection.executeQuery(query));
      const results = await Promise.allSettled([opened, ...pending, ...ending, super.commitTransaction(connection)]);
      const failed = results.find((result) => result.status === "rejected");
      if (failed) throw failed.reason;
    }
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new TenantScopedDriver(config),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

const notifyStatement = `${preparedMark} select pg_notify('arcada_live', news) from unnest($1::text[]) news`;

/**
 * Sends a statement without waiting for its result: later statements see its effect, and if it fails, the transaction
 * fails. Each round trip that is awaited costs both sides more than most of our statements.
 */
export function sendPipelined(db: Db, statement: RawBuilder<unknown> | CompiledQuery): void {
  const { connection, pending } = transactionStorage.getStore()!;
  const result = connection!.executeQuery("compile" in statement ? statement.compile(db) : statement);
  result.catch(() => {});
  pending.push(result);
}

/** Sends these statements in a pipeline and waits once for all results. A null is not sent; its result is empty. */
export function queryPipelined<const Q extends readonly (RawBuilder<unknown> | null)[]>(
  db: Db,
  queries: Q,
): Promise<QueryResults<Q>> {
  const { connection } = transactionStorage.getStore()!;
  const results = queries.map(async (query) =>
    query === null ? [] : (await connection!.executeQuery(query.compile(db))).rows,
  );
  return Promise.all(results) as Promise<QueryResults<Q>>;
}
type QueryResults<Q extends readonly (RawBuilder<unknown> | null)[]> = {
  -readonly [K in keyof Q]: Q[K] extends RawBuilder<infer Row> | null ? Row[] : never;
};

/** Notifies open clients when this transaction is committed, once per message; it is the JSON of an object. */
export const notifyOnCommit = (_db: Db, message: string): void =>
  void transactionStorage.getStore()!.notifications.add(message);

/**
 * Sends a statement at the end of the current transaction, in the round trip of its commit; if it fails, the
 * transaction fails.
 */
export function runOnCommit(db: Db, statement: RawBuilder<unknown>): void {
  transactionStorage.getStore()!.atCommit.push(statement.compile(db));
}

/**
 * Bypasses the tenant scope inside the same transaction, for what a service has already decided: a row of the other
 * side of an order, a membership. Never pass it a condition that comes from outside.
 */
export async function bypassTenantScope<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const transaction = transactionStorage.getStore();
  if (!transaction || transaction.tenantScope.system) return work();
  sendPipelined(db, sql`set local role arcada_system`);
  // A nested call is outside the tenant scope already and must not switch the role back before this one is done.
  const result = await transactionStorage.run({ ...transaction, tenantScope: { system: true } }, work);
  sendPipelined(db, sql`set local role arcada_app`);
  return result;
}
