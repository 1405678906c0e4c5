import type { PgBoss } from "pg-boss";

const intervalMs = 2000;

interface Polled {
  queues: () => string[];
  /** Wakes the workers of a queue. */
  wake: (queue: string) => void;
  onError: (error: unknown, about: string) => void;
}

/**
 * Looks every two seconds which queues have jobs that are due, in one statement for all of them, and wakes their
 * workers. PostgreSQL notifies only of jobs that are sent: retries, delayed jobs and jobs that a dead worker held are
 * found here. If each worker looked for itself, as pg-boss does, some sixty statements in two seconds would find nothing.
 * Returns what ends it.
 */
export function pollDueQueues(boss: PgBoss, { queues, wake, onError }: Polled): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const poll = async (): Promise<void> => {
    try {
      for (const { name } of await findDueQueues(boss, queues())) wake(name);
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

/** Stops in each queue at the first job that is due. */
async function findDueQueues(boss: PgBoss, queues: readonly string[]): Promise<{ name: string }[]> {
  if (queues.length === 0) return [];
  const { rows } = await boss.getDb().executeSql(
    `select name from unnest($1::text[]) queue (name) where exists (select from pgboss.job_common job
      where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now())`,
    [queues],
  );
  return rows as { name: string }[];
}
