import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import pg from "pg";
import { StartError } from "../runtime/config.ts";
import { sessionOptions, tenantRole } from "./session-settings.ts";
import type { SessionMode } from "./session-settings.ts";

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

export function openPool(connection: pg.PoolConfig, size: number, mode: SessionMode): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: size,
    pipeline: true,
    stream: createSocket,
    options: sessionOptions(mode),
    // An idle connection to a machine that is gone must not wait for the first user to find out.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    ...(mode !== "session" && { onConnect: detectPreparedStatements }),
  });
  // Without a listener, a restart of the database would end this process.
  pool.on("error", () => {});
  // The same holds for a connection that breaks while it is in use: its queries fail, and the pool drops it.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * A pool of sessions sets the tenant role when it connects. A pooler may ignore that request, and without the role the
 * database's owner would answer, whom row-level security does not bind: throws one sentence.
 */
export async function requireTenantRole(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string }>("select current_user as role");
  if (rows[0]?.role !== tenantRole)
    throw new StartError(
      "DATABASE_URL leads to a pooler that ignores the options of a connection: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or let the pooler keep a session for each client and pass the options on.",
    );
}

const unnamed = new WeakSet<pg.ClientBase>();
/** True if a statement that is prepared on this connection may be unknown to the session of its next transaction. */
export const lacksPreparedStatements = (client: pg.PoolClient): boolean => unnamed.has(client);

/** Connections to a pooler that keeps the names of prepared statements for its clients. */
const renamed = new WeakSet<pg.ClientBase>();

/**
 * A pooler that supports prepared statements (PgBouncer 1.21 with `max_prepared_statements`) renames them, so that all
 * clients share them. If the server's session knows a statement by the very name that the client gave, a later
 * transaction may meet a session without it, or one in which the name means another statement.
 */
async function detectPreparedStatements(client: pg.ClientBase): Promise<void> {
  const name = `arcada_probe_${randomBytes(8).toString("hex")}`;
  await client.query("begin");
  await client.query({ name, text: "select 1" });
  const { rowCount } = await client.query("select from pg_prepared_statements where name = $1", [name]);
  if (rowCount === 0) renamed.add(client);
  else {
    unnamed.add(client);
    await client.query(`deallocate ${name}`);
  }
  await client.query("commit");
}

const unusable = new WeakSet<pg.PoolClient>();
/** PostgreSQL: the server is, or has become, a replica. */
const readOnlyCode = "25006";
/**
 * Remembers the connection of a failed statement if it must not be used again: its server takes no writes any more, or
 * its pooler may keep the name of the statement. A statement that failed before it was parsed is prepared again by
 * node-postgres, and PgBouncer closes the connection of a client that gives a name twice.
 */
export function noteFailure(client: pg.PoolClient, error: unknown, isNamed: boolean): void {
  const isDemoted = (error as { code?: string }).code === readOnlyCode;
  if (isDemoted || (isNamed && renamed.has(client))) unusable.add(client);
}
/** Gives a connection back, or closes it if it must not be used again. */
export const releaseClient = (client: pg.PoolClient, destroy = false): void =>
  client.release(destroy || unusable.has(client));

const connectTimeoutMs = 10_000;
/**
 * A socket that sends everything written in one tick in a single write: each write wakes the database's process, which
 * costs more than most of our statements. It ends if it cannot connect: the system's own limit is two minutes.
 */
function createSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(connectTimeoutMs, () => {
    socket.destroy(Object.assign(new Error("The database does not answer"), { code: "ETIMEDOUT" }));
  });
  // Only after the connection: a socket that connects restores its own write method.
  socket.once("connect", () => {
    socket.setTimeout(0);
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    let isHeld = false;
    const writeHeld = (...given: unknown[]): boolean => {
      // node-postgres corks the socket for each prepared statement and would send it alone: this cork outlasts its own.
      if (!isHeld) {
        isHeld = true;
        socket.cork();
        process.nextTick(() => {
          isHeld = false;
          socket.uncork();
        });
      }
      return write(...given);
    };
    socket.write = writeHeld as Socket["write"];
  });
  return socket;
}
