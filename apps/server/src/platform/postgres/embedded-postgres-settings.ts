import { totalmem } from "node:os";

/**
 * The most places for connections. A restored database is started with so many: PostgreSQL replays a log only with as many
 * as its writer had.
 */
export const mostConnections = 1000;

/** The settings with which the embedded database starts: `major` is its version, `bytes` the memory of the machine. */
export const databaseSettings = (major: number, bytes = machineMemory()): Record<string, string> => ({
  listen_addresses: "",
  unix_socket_permissions: "0700",
  timezone: "UTC",
  log_timezone: "UTC",
  // Our statements are short: JIT compilation costs more than it saves.
  jit: "off",
  // Decision 63: pages that are not in shared buffers are copied from the operating system for each read, page by page.
  shared_buffers: `${Math.round(Math.min(Math.max(bytes / 16 / mebi, 128), 1024))}MB`,
  // A new clinic may import an archive: plans that were made for empty tables are made again soon, not after a minute.
  autovacuum_naptime: "15s",
  // Each buffer that was used once stays in memory. Our transactions are small: a quarter of PostgreSQL's usual 16 MB
  // holds what is written between two commits.
  wal_buffers: "4MB",
  // No transaction of ours is serializable: the least that PostgreSQL accepts.
  max_pred_locks_per_transaction: "10",
  // No subscription of ours exists: the process that looks for them takes a megabyte.
  max_logical_replication_workers: "0",
  // With "sync", data that the system has in memory already is read at once, not by another process that has to be
  // woken.
  ...(major >= 18 && { io_method: "sync" }),
});

const mebi = 1024 * 1024;

/** Returns the memory in bytes; in a container that has less than its machine, the container's. */
function machineMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
