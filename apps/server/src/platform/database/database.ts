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
import type pg from "pg";
import { addPosition } from "../live/live-position.ts";
import type { Tables } from "../../tables/schema.generated.ts";
import { openPool, releaseClient } from "./connection-pool.ts";
import { sendQuery, withPreparedStatements, preparedMark } from "./prepared-statements.ts";
import { openReplica } from "./read-replica.ts";
import type { ReadReplica, ReplicaOptions } from "./read-replica.ts";
import { beginStatement, commitWithoutFlush, flushStatement } from "./session-settings.ts";
import type { SessionMode, TenantScope } from "./session-settings.ts";

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
  /** The contexts of one transaction share it. */
  atEnd: {
    /** A statement of the transaction has called `pg_notify`. */
    notifies: boolean;
    /** The transaction returns only when all that it may have read is on the disk. */
    isDurable: boolean;
  };
}
const newTransactionContext = (tenantScope: TenantScope): TransactionContext => ({
  tenantScope,
  opened: Promise.resolve(),
  connection: null,
  pending: [],
  atCommit: [],
  notifications: new Set(),
  atEnd: { notifies: false, isDurable: false },
});
const transactionStorage = new AsyncLocalStorage<TransactionContext>();

export interface TransactionOptions {
  /**
   * The work only reads, and what it reads may be some seconds old: a replica may answer. If that fails, the work is
   * repeated on the primary. Never set it where the rows decide who somebody is or what they may do.
   */
  toleratesDelay?: boolean | undefined;
}

export interface Database {
  pool: pg.Pool;
  /** The way to the database on which each connection keeps its session, for LISTEN and for locks of a session. */
  direct: pg.PoolConfig;
  replica: ReadReplica | null;
  /** Runs one transaction in a tenant scope; an error rolls it back. */
  as<T>(tenantScope: TenantScope, work: (db: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one read-only query outside the tenant scope, in one round trip (behind a pooler, two). */
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

/** Further ways to the database, beside the one that keeps a session for each connection. */
export interface DatabaseRoutes {
  /** A pooler that gives every transaction a session; without it, the pool connects directly. */
  pooler?: pg.PoolConfig | undefined;
  replica?: ReplicaOptions | undefined;
}

export function openDatabase(
  direct: pg.PoolConfig,
  size = 10,
  { pooler, replica: given }: DatabaseRoutes = {},
): Database {
  const mode = pooler ? "pooled" : "session";
  const pool = openPool(pooler ?? direct, size, mode);
  const replica = given ? openReplica(given, pool, size) : null;
  const runOnPrimary = transactionRunner(pool, mode);
  const runOnReplica = replica && transactionRunner(replica.pool, "replica");
  const runInScope = async <T>(
    tenantScope: TenantScope,
    work: (db: Db) => Promise<T>,
    { toleratesDelay = false }: TransactionOptions = {},
  ): Promise<T> => {
    if (!toleratesDelay || !runOnReplica || !replica.isUsable()) return runOnPrimary.run(tenantScope, work);
    try {
      return await runOnReplica.run(tenantScope, work);
    } catch {
      // This includes refusals of the work itself: the replica may not have the row yet.
      return runOnPrimary.run(tenantScope, work);
    }
  };
  const queryAndWrite = async <T>(
    tenantScope: TenantScope,
    { queries, writes, read }: PipelinedQuery<T>,
  ): Promise<T> => {
    const client = await pool.connect();
    let mustClose = mode !== "session";
    const send = (statement: RawBuilder<unknown>) => {
      const { sql: text, parameters } = statement.compile(runOnPrimary.kysely);
      return sendQuery(client, text, [...parameters]);
    };
    try {
      const opened = client.query(beginStatement(tenantScope, mode));
      // Without a session, nothing is sent before the begin has succeeded: see `tenantScopedDialect`. If only a setting
      // behind it failed, the connection is within half a transaction.
      if (mustClose) await opened;
      mustClose = false;
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
      releaseClient(client, mustClose);
    }
  };
  const queryAsSystem = <T>(query: RawBuilder<T>): Promise<T[]> =>
    queryAndWrite({ system: true }, { queries: [query], writes: [], read: (rows) => rows as T[] });
  return {
    pool,
    direct,
    replica,
    as: runInScope,
    asSystem: (work) => runInScope({ system: true }, work),
    queryAsSystem,
    queryAndWrite,
    close: async () => {
      replica?.stopWatching();
      await Promise.all([runOnPrimary.kysely.destroy(), runOnReplica?.kysely.destroy()]);
    },
  };
}

function transactionRunner(pool: pg.Pool, mode: SessionMode) {
  const kysely = new Kysely<Tables>({ dialect: tenantScopedDialect({ pool: withPreparedStatements(pool) }, mode) });
  const run = <T>(tenantScope: TenantScope, work: (db: Db) => Promise<T>): Promise<T> => {
    const transaction = newTransactionContext(tenantScope);
    return transactionStorage
      .run(transaction, () => kysely.transaction().execute((db) => work(db)))
      .catch(async (error: unknown) => {
        throw (await findCause(error, transaction)) ?? error;
      });
  };
  return { kysely, run };
}

/** If a statement fails because an earlier one that nobody awaited had failed, returns the error of that one. */
async function findCause(error: unknown, { opened, pending }: TransactionContext): Promise<unknown> {
  if ((error as { code?: string }).code !== failedTransactionCode) return undefined;
  const results = await Promise.allSettled([opened, ...pending]);
  return results.find((result) => result.status === "rejected")?.reason;
}
/** PostgreSQL: commands are ignored until the transaction ends. */
const failedTransactionCode = "25P02";

/**
 * Sends the tenant scope ahead of the first statement, and the last statements along with the commit: a call with one
 * query needs two round trips, not four. If the begin fails in a session, its role stays the one that row-level security
 * binds, no scope is set and nothing is visible.
 *
 * Without a session of its own, a connection has the role of its login until the begin has set another. That role may
 * own the tables, and row-level security would not bind what is sent behind a begin that fails: nothing is sent before
 * it has succeeded.
 */
function tenantScopedDialect(config: PostgresDialectConfig, mode: SessionMode): Dialect {
  class TenantScopedDriver extends PostgresDriver {
    override async beginTransaction(connection: PostgresConnection): Promise<void> {
      const transaction = transactionStorage.getStore();
      if (!transaction) throw new Error("a transaction without a wall");
      transaction.connection = connection;
      transaction.opened = connection.executeQuery(CompiledQuery.raw(beginStatement(transaction.tenantScope, mode)));
      transaction.opened.catch(() => {});
      if (mode === "session") return;
      try {
        await transaction.opened;
      } catch (error) {
        // The begin itself may have succeeded, and only a setting behind it failed.
        await super.rollbackTransaction(connection).catch(() => {});
        throw error;
      }
    }
    override async commitTransaction(connection: DatabaseConnection): Promise<void> {
      const { opened, pending, atCommit, notifications, atEnd } = transactionStorage.getStore()!;
      // A pooler may send the flush to another server than the commit.
      const notifies = mode === "session" && (notifications.size > 0 || atEnd.notifies);
      if (notifications.size > 0)
        atCommit.push(CompiledQuery.raw(notifyStatement(notifies), [Array.from(notifications, addPosition)]));
      else if (notifies) atCommit.push(CompiledQuery.raw(`${preparedMark} select ${commitWithoutFlush}`));
      const ending = atCommit.splice(0).map((query) => connection.executeQuery(query));
      const committed = super.commitTransaction(connection);
      const flushed =
        notifies || atEnd.isDurable
          ? connection.executeQuery(CompiledQuery.raw(`${preparedMark} ${flushStatement}`))
          : committed;
      const results = await Promise.allSettled([opened, ...pending, ...ending, committed, flushed]);
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

/** Kysely does not export this type. */
type PostgresConnection = Parameters<PostgresDriver["rollbackTransaction"]>[0];

const notifyStatement = (endsWithoutFlush: boolean): string =>
  `${preparedMark} select pg_notify('arcada_live', news)${endsWithoutFlush ? `, ${commitWithoutFlush}` : ""} from unnest($1::text[]) news`;

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

/** Notes that a statement of the current transaction calls `pg_notify` itself. */
export function noteNotification(_db: Db): void {
  transactionStorage.getStore()!.atEnd.notifies = true;
}

/**
 * Lets the current transaction return only when all that it may have read is on the disk, even if it writes nothing: for
 * an answer that repeats the one of another transaction, and before an act that cannot be undone. A transaction that
 * notifies can be read before it is on the disk.
 */
export function requireDurableReads(_db: Db): void {
  transactionStorage.getStore()!.atEnd.isDurable = true;
}

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
