import { setTimeout as sleep } from "node:timers/promises";
import { ERRORS } from "@tus/utils";
import type { Lock, Locker, RequestRelease } from "@tus/utils";
import pg from "pg";

const timeoutMs = 30_000;
const pollMs = 100;
// A query that is never answered would hold up all later ones, as on a connection whose server is gone without a word.
// With a pipeline, the time limit closes the connection.
const limits = { query_timeout: 15_000, connectionTimeoutMillis: 5000, keepAlive: true, pipeline: true } as const;

/**
 * Permits one writer for each upload over all processes: advisory locks held by one connection of this process, and a
 * map for those who wait within it. A request that needs a lock asks its holder, in whichever process, to release it:
 * the holder is most often a dead connection.
 */
export function createUploadLocks(connection: pg.PoolConfig): Locker & { close(): Promise<void> } {
  const held = new Map<string, Holder>();
  const session = lockSession(connection, held);

  const acquire = async (id: string, signal: AbortSignal, release: RequestRelease): Promise<void> => {
    for (const until = Date.now() + timeoutMs; Date.now() < until && !signal.aborted; await sleep(pollMs)) {
      if (held.has(id)) {
        requestRelease(held, id);
        continue;
      }
      // Reserved in the map before the query: two requests of this process share its database session, to which
      // PostgreSQL would grant the same lock twice.
      const holder: Holder = { release, isGranted: false };
      held.set(id, holder);
      holder.isGranted = await session.tryLock(id).catch((error: unknown) => abandon(id, error));
      if (holder.isGranted) return;
      held.delete(id);
    }
    throw signal.aborted ? ERRORS.ABORTED : ERRORS.ERR_LOCK_TIMEOUT;
  };
  const abandon = (id: string, error: unknown): never => {
    held.delete(id);
    throw error;
  };

  const newLock = (id: string): Lock => ({
    lock: (signal, release) => acquire(id, signal, release),
    unlock: async () => {
      // In this order: the map keeps others of this process away until the database has released the lock.
      await session.unlock(id);
      held.delete(id);
    },
  });
  return { newLock, close: () => session.close() };
}

interface Holder {
  release: RequestRelease;
  /** False while the query is running: then the holder itself only waits. */
  isGranted: boolean;
}
function requestRelease(held: Map<string, Holder>, id: string): void {
  const holder = held.get(id);
  if (holder?.isGranted) void holder.release();
}

/** The connection that holds the locks. If it breaks the locks are lost, so every holder is asked to release. */
function lockSession(connection: pg.PoolConfig, held: Map<string, Holder>) {
  let client: Promise<pg.Client> | null = null;
  const onLost = (broken: pg.Client) => () => {
    void client?.then((current) => current === broken && (client = null)).catch(() => {});
    for (const id of held.keys()) requestRelease(held, id);
  };
  const connect = async (): Promise<pg.Client> => {
    const next = new pg.Client({ ...connection, ...limits, application_name: "arcada upload locks" });
    next.on("error", () => {});
    next.once("end", onLost(next));
    next.on("notification", ({ payload }) => requestRelease(held, payload ?? ""));
    await next.connect();
    await next.query("listen arcada_upload");
    return next;
  };
  const connected = (): Promise<pg.Client> => {
    client ??= connect();
    client.catch(() => (client = null));
    return client;
  };
  // One query after another: a connection answers them in order anyway.
  let last: Promise<unknown> = Promise.resolve();
  const query = (statement: string, id: string): Promise<boolean> => {
    const response = last.then(async () => {
      const { rows } = await (await connected()).query<{ yes: boolean }>(statement, [id]);
      return rows[0]?.yes ?? false;
    });
    last = response.catch(() => {});
    return response;
  };
  return {
    async tryLock(id: string): Promise<boolean> {
      const taken = await query("select pg_try_advisory_lock(hashtextextended($1, 1)) as yes", id);
      if (!taken) await query("select true as yes from pg_notify('arcada_upload', $1)", id);
      return taken;
    },
    // The lock of a broken connection is free already.
    unlock: (id: string) => query("select pg_advisory_unlock(hashtextextended($1, 1)) as yes", id).catch(() => false),
    async close(): Promise<void> {
      await last;
      const open = await client?.catch(() => null);
      client = null;
      await open?.end();
    },
  };
}
