import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database, Db } from "./database.ts";
import { selectValue } from "./select-value.ts";
import type { RepeatedTask } from "../jobs/repeated-tasks.ts";

/** The tables that are partitioned by time; `arcada_partitioned()` says how long a partition of each is. */
export type PartitionedTable = "audit" | "webhook_delivery";

/**
 * Makes the current and the coming partitions; returns the number of new ones. Every start does so, because a row
 * without a partition is refused: an instance that was off for long, or whose clock was wrong, then finds its own.
 */
export const addPartitions = (database: Database): Promise<number> =>
  database.asSystem((db) => selectValue(db, sql<number>`arcada_add_partitions()`));

/** Makes the coming partitions long before they are needed. */
export const partitionTask = (database: Database): RepeatedTask => ({
  name: "partitions.add",
  everyMs: 3_600_000,
  toleratedMs: 86_400_000,
  run: () => addPartitions(database),
});

/**
 * Returns the names of the partitions of which every row is older than this interval of PostgreSQL, the oldest first.
 */
export const listExpiredPartitions = (db: Db, table: PartitionedTable, age: string): Promise<string[]> =>
  selectValue(
    db,
    sql<string[]>`(select coalesce(array_agg(name order by begins), '{}') from arcada_partitions(${table}::regclass)
      where ends <= now() - ${age}::interval)`,
  );

/**
 * Returns the condition that a row lies in this partition. The planner reads no other one, and as the bounds are values
 * it knows that most rows of the partition meet it.
 */
export async function conditionOfPartition(
  db: Db,
  table: PartitionedTable,
  { name, time }: { name: string; time: string },
): Promise<RawBuilder<boolean>> {
  const bounds = sql<string[]>`(select array[begins::text, ends::text] from arcada_partitions(${table}::regclass)
    where name = ${name})`;
  const [begins, ends] = await selectValue(db, bounds);
  return sql<boolean>`${sql.ref(time)} >= ${begins}::timestamptz and ${sql.ref(time)} < ${ends}::timestamptz`;
}

export const dropPartition = (db: Db, table: PartitionedTable, name: string): Promise<unknown> =>
  sql`select arcada_drop_partition(${table}::regclass, ${name})`.execute(db);

/**
 * Drops the partitions of which every row is older than this interval of PostgreSQL, and deletes no row. Returns their
 * number. Each has a transaction of its own, since a drop waits for the readers of the table and others wait for it.
 */
export async function dropExpiredPartitions(database: Database, table: PartitionedTable, age: string): Promise<number> {
  const expired = await database.asSystem((db) => listExpiredPartitions(db, table, age));
  for (const name of expired) await database.asSystem((db) => dropPartition(db, table, name));
  return expired.length;
}
