import { sql } from "kysely";
import type { Database, Db } from "./database.ts";
import type { RepeatedTask } from "../jobs/repeated-tasks.ts";

/** The tables that are partitioned by time; `arcada_partitioned()` says how long a partition of each is. */
export type PartitionedTable = "audit" | "webhook_delivery";

export interface Partition {
  name: string;
  /** ISO instants: begins <= time < ends. */
  begins: string;
  ends: string;
}

/**
 * Makes the current and the coming partitions; returns the number of new ones. Every start does so, because a row
 * without a partition is refused: an instance that was off for long, or whose clock was wrong, then finds its own.
 */
export const addPartitions = async (database: Database): Promise<number> =>
  (await database.asSystem((db) => sql<{ made: number }>`select arcada_add_partitions() as made`.execute(db))).rows[0]!
    .made;

/** Makes the coming partitions long before they are needed. */
export const partitionTask = (database: Database): RepeatedTask => ({
  name: "partitions.add",
  everyMs: 3_600_000,
  toleratedMs: 86_400_000,
  run: () => addPartitions(database),
});

/** Returns the partitions of which every row is older than this interval of PostgreSQL, the oldest first. */
export const listExpiredPartitions = async (db: Db, table: PartitionedTable, age: string): Promise<Partition[]> =>
  (
    await sql<Partition>`select name, begins, ends from arcada_partitions(${table}::regclass)
      where ends <= now() - ${age}::interval order by begins`.execute(db)
  ).rows;

export const dropPartition = (db: Db, table: PartitionedTable, { name }: Partition): Promise<unknown> =>
  sql`select arcada_drop_partition(${table}::regclass, ${name})`.execute(db);

/**
 * Drops the partitions of which every row is older than this interval of PostgreSQL, and deletes no row. Returns their
 * number. Each has a transaction of its own, since a drop waits for the readers of the table and others wait for it.
 */
export async function dropExpiredPartitions(database: Database, table: PartitionedTable, age: string): Promise<number> {
  const expired = await database.asSystem((db) => listExpiredPartitions(db, table, age));
  for (const partition of expired) await database.asSystem((db) => dropPartition(db, table, partition));
  return expired.length;
}
