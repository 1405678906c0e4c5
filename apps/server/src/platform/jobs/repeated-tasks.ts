import { sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import { describeError } from "../telemetry/redact-error.ts";
import { logEvent } from "../telemetry/log.ts";
import { taskFailures } from "../telemetry/counters-and-histograms.ts";

/** Work that is repeated beside the queues. It must be safe in several processes at once. */
export interface RepeatedTask {
  /** Its name in the metrics and on the operator's page. */
  name: string;
  everyMs: number;
  /** The age of the last success from which on the task counts as late. */
  toleratedMs: number;
  run: () => Promise<unknown>;
  /** The task writes its own errors to the log. */
  logsErrors?: true;
}

/** A task that runs every second does not write its row every second. */
const recordEveryMs = 10_000;
const logEveryMs = 60_000;
/** A restart soon makes up for what was missed, without delaying the start itself. */
const firstRunMs = 30_000;
/** Tasks that became due at the same moment would each open a connection, and keep it in memory for a while. */
const betweenTasksMs = 100;
const graceMs = 3000;

/**
 * Runs the tasks until it is stopped, each one once at a time in this process. Every run reports its success or its
 * failure to the table `repeated_task`, from which metrics and the operator's page read it: a task that hangs, fails or
 * is never run by any process shows by the age of its last success.
 */
export async function startRepeatedTasks(
  database: Database,
  tasks: readonly RepeatedTask[],
): Promise<{ stop: () => Promise<void> }> {
  await database.asSystem((db) => registerTasks(db, tasks));
  const running = tasks.map((task, place) => repeat(database, task, place * betweenTasksMs));
  return {
    stop: async () => {
      const runs = running.map((task) => task.stop());
      await Promise.race([Promise.all(runs), new Promise((resume) => setTimeout(resume, graceMs).unref())]);
    },
  };
}

function repeat(database: Database, task: RepeatedTask, delayMs: number): { stop: () => Promise<unknown> } {
  const last = { recorded: Number.NEGATIVE_INFINITY, logged: Number.NEGATIVE_INFINITY };
  let current: Promise<void> | null = null;
  let isStopped = false;
  const report = async (error: unknown): Promise<void> => {
    const now = performance.now();
    if (error !== null) {
      taskFailures.inc({ task: task.name });
      if (!task.logsErrors && now - last.logged > logEveryMs) {
        last.logged = now;
        logEvent("error", `task ${task.name}`, describeError(error));
      }
    } else if (now - last.recorded < recordEveryMs) return;
    last.recorded = error === null ? now : Number.NEGATIVE_INFINITY;
    await recordRun(database, task.name, error === null ? null : describeError(error));
  };
  const runOnce = async (): Promise<void> => {
    try {
      await task.run();
      await report(null);
    } catch (error) {
      // Without a database nothing can be recorded. The age of the last success then tells it.
      if (!isStopped) await report(error).catch(() => {});
    }
  };
  const begin = (): void => {
    if (!isStopped) current ??= runOnce().finally(() => (current = null));
  };
  let timer: NodeJS.Timeout | undefined;
  const delay = setTimeout(() => (timer = setInterval(begin, task.everyMs)), delayMs);
  const first = setTimeout(begin, firstRunMs + delayMs);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(delay);
      clearInterval(timer);
      clearTimeout(first);
      await current;
    },
  };
}

async function registerTasks(db: Db, tasks: readonly RepeatedTask[]): Promise<void> {
  if (tasks.length === 0) return;
  await db
    .insertInto("repeated_task")
    .values(
      tasks.map(({ name, everyMs, toleratedMs }) => ({
        name,
        every_seconds: everyMs / 1000,
        tolerated_seconds: toleratedMs / 1000,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((expression) => ({
        every_seconds: expression.ref("excluded.every_seconds"),
        tolerated_seconds: expression.ref("excluded.tolerated_seconds"),
      })),
    )
    .execute();
}

/** Removes the rows of tasks that this version no longer has, so that nobody waits for them. */
export const removeFormerTasks = (database: Database, known: readonly string[]): Promise<unknown> =>
  database.asSystem((db) => db.deleteFrom("repeated_task").where("name", "not in", known).execute());

const recordRun = (database: Database, name: string, error: string | null): Promise<unknown> =>
  database.asSystem((db) =>
    db
      .updateTable("repeated_task")
      .set(
        error === null
          ? { succeeded_at: sql<string>`now()`, failures: 0 }
          : { failed_at: sql<string>`now()`, failures: sql<number>`failures + 1`, error: error.slice(0, 300) },
      )
      .where("name", "=", name)
      .execute(),
  );

export interface TaskState {
  name: string;
  everySeconds: number;
  toleratedSeconds: number;
  /** Unix time of the last success, or of the first registration while there was none. */
  lastSuccess: number;
  /** Seconds since then. */
  age: number;
  succeededAt: string | null;
  failedAt: string | null;
  failures: number;
  error: string | null;
}

/** The state of every repeated task, in any process of this instance. */
export const listTasks = (db: Db): Promise<TaskState[]> =>
  db
    .selectFrom("repeated_task")
    .select([
      "name",
      "every_seconds as everySeconds",
      "tolerated_seconds as toleratedSeconds",
      sql<number>`extract(epoch from coalesce(succeeded_at, registered_at))::float`.as("lastSuccess"),
      sql<number>`greatest(0, extract(epoch from now() - coalesce(succeeded_at, registered_at)))::float`.as("age"),
      "succeeded_at as succeededAt",
      "failed_at as failedAt",
      "failures",
      "error",
    ])
    .orderBy("name")
    .execute();
