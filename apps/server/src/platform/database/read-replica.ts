import type pg from "pg";
import { logEvent } from "../telemetry/log.ts";
import { openPool } from "./connection-pool.ts";

export interface ReplicaOptions {
  connection: pg.PoolConfig;
  /** A replica that is further behind is not asked. */
  maxDelaySeconds: number;
}

/** A streaming replica that answers reads which tolerate its delay. */
export interface ReadReplica {
  pool: pg.Pool;
  /** True if what the replica answers is complete up to `maxDelaySeconds` ago. */
  isUsable(): boolean;
  /** The age of the newest state of the primary that the replica is known to have, in seconds; infinite: unknown. */
  delaySeconds(): number;
  stopWatching(): void;
}

const intervalMs = 1000;

interface Sample {
  takenAt: number;
  position: number;
}

/**
 * Compares the positions of both servers in the log every second. The time of the last replayed transaction would not
 * do: it grows while nobody writes, and a replica that lost its primary has replayed everything that it received.
 */
export function openReplica(
  { connection, maxDelaySeconds }: ReplicaOptions,
  primary: pg.Pool,
  size: number,
): ReadReplica {
  const pool = openPool(connection, size, "replica");
  let samples: Sample[] = [];
  let isStopped = false;
  let completeUntil = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  const delaySeconds = (): number => (performance.now() - completeUntil) / 1000;
  const isUsable = (): boolean => delaySeconds() <= maxDelaySeconds;
  const compare = async (): Promise<void> => {
    const takenAt = performance.now();
    const { origin, position: written } = await readPrimaryPosition(primary);
    samples.push({ takenAt, position: written });
    const replayed = await readReplicaPosition(pool);
    // A position means nothing in the log of another cluster.
    if (replayed.origin !== origin) throw new Error("it is no copy of this database");
    const reached = samples.findLast(({ position }) => position <= replayed.position);
    if (reached) completeUntil = reached.takenAt;
    samples = samples.filter((one) => one.takenAt > Math.max(completeUntil, takenAt - maxDelaySeconds * 1000));
  };
  const watch = async (): Promise<void> => {
    try {
      await compare();
      hasFailed = false;
    } catch (error) {
      completeUntil = Number.NEGATIVE_INFINITY;
      if (!hasFailed && !isStopped)
        logEvent("warn", "database", `the replica is not used: ${(error as Error).message}`);
      hasFailed = true;
    }
  };
  let pending: Promise<void> | null = null;
  const watchOnce = () => void (pending ??= watch().finally(() => (pending = null)));
  watchOnce();
  const timer = setInterval(watchOnce, intervalMs).unref();
  return {
    pool,
    isUsable,
    delaySeconds,
    stopWatching: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

interface LogPosition {
  /** The cluster, which a replica has in common with its primary, and the database in it. */
  origin: string;
  position: number;
}
const originColumn = "(select system_identifier from pg_control_system()) || ' ' || current_database() as origin";

async function readPrimaryPosition(primary: pg.Pool): Promise<LogPosition> {
  const { rows } = await primary.query<LogPosition>(
    `select (pg_current_wal_lsn() - '0/0')::bigint as position, ${originColumn}`,
  );
  return rows[0]!;
}

/** Throws if the server is no replica, or receives nothing: it may follow a primary that was replaced. */
async function readReplicaPosition(replica: pg.Pool): Promise<LogPosition> {
  const { rows } = await replica.query<LogPosition & { follows: boolean }>(
    `select (pg_last_wal_replay_lsn() - '0/0')::bigint as position, ${originColumn},
      pg_is_in_recovery() and exists (select from pg_stat_wal_receiver) as follows`,
  );
  const { follows, ...replayed } = rows[0]!;
  if (!follows) throw new Error("it does not follow a primary");
  return replayed;
}
