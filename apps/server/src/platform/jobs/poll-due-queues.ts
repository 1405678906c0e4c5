import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { wakeWorkers } from "./job-workers.ts";

const intervalMs = 2000;
/** A connection that was cut silently does not answer for minutes. */
const answerMs = 5000;

/**
 * Finds the queues that have jobs that are due every two seconds, in one statement for all of them, and wakes their
 * workers. PostgreSQL notifies only of jobs that are sent: retries, delayed jobs and jobs that a dead worker held are
 * found here. If each worker looked for itself, as pg-boss does, some sixty statements in two seconds would find nothing.
 * Returns a function that ends it.
 */
export function pollDueQueues(boss: PgBoss, onError: (error: unknown, about: string) => void): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  /** The statement that has not been answered yet: another one beside it would take a second connection. */
  let asked: ReturnType<typeof findDueQueues> | null = null;
  const poll = async (): Promise<void> => {
    try {
      const queues = new Set(boss.getWipData().map(({ name }) => name));
      const late = sleep(answerMs, null, { ref: false });
      asked ??= findDueQueues(boss, [...queues]).finally(() => (asked = null));
      const due = await Promise.race([asked, late]);
      if (!due) throw new Error(`no answer within ${answerMs} ms`);
      for (const { name } of due) wakeWorkers(boss, name);
    } catch (error) {
      if (!isStopped) onError(error, "jobs");
    }
    schedule();
  };
  const schedule = (): void => {
    if (!isStopped) timer = setTimeout(() => void poll(), intervalMs).unref();
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Returns the queues with a job that is due. The search of a queue ends at the first one. */
async function findDueQueues(boss: PgBoss, queues: readonly string[]): Promise<{ name: string }[]> {
  if (queues.length === 0) return [];
  const { rows } = await boss.getDb().executeSql(
    `select name from unnest($1::text[]) queue (name) where exists (select from pgboss.job_common job
      where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now())`,
    [queues],
  );
  return rows as { name: string }[];
}
