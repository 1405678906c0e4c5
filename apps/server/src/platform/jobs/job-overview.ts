import type { PgBoss } from "pg-boss";

export interface JobCounts {
  name: string;
  waiting: number;
  active: number;
  /** The number of jobs that were given up after the last attempt. */
  dead: number;
  /** Seconds that the oldest due job has waited. */
  oldest: number;
}

/** A job that was given up. Its data is not shown. */
export interface FailedJob {
  id: string;
  queue: string;
  failedAt: string | null;
  tries: number;
  error: string;
}

/** Returns the jobs of each queue by state. */
export async function countJobs(boss: PgBoss): Promise<JobCounts[]> {
  const { rows } = await boss.getDb().executeSql(`select name,
      count(*) filter (where state in ('created', 'retry'))::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'failed')::int as dead,
      coalesce(extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after < now())), 0)::float as oldest
    from pgboss.job where name not like '%.dead' and name not like '\\_\\_pgboss%' group by name order by name`);
  return rows as JobCounts[];
}

/** Returns failed jobs, the latest first. */
export async function listFailedJobs(boss: PgBoss, limit: number, queue: string | null): Promise<FailedJob[]> {
  const { rows } = await boss.getDb().executeSql(
    `select id, name as queue, completed_on as "failedAt", retry_count + 1 as tries, output from pgboss.job
    where state = 'failed' and name not like '%.dead' and name not like '\\_\\_pgboss%' and ($2::text is null or name = $2)
    order by completed_on desc nulls last, id limit $1`,
    [limit, queue],
  );
  return (rows as (Omit<FailedJob, "failedAt"> & { failedAt: Date | null; output: unknown })[]).map(
    ({ output, failedAt, ...job }) => ({
      ...job,
      failedAt: failedAt?.toISOString() ?? null,
      error: redactError(output),
    }),
  );
}

/**
 * Removes quoted text from a message: it may be a file's name or a row's value. For a database error only the violated
 * rule is reported.
 */
function redactError(output: unknown): string {
  const { severity, code, table, column, constraint } = (output ?? {}) as Partial<Record<string, unknown>>;
  if (severity !== undefined) return [code, table, column, constraint].filter(Boolean).join(" ");
  const [line = ""] = messageOf(output).split("\n");
  return line.replace(/"[^"]*"|'[^']*'|(?:\/[^\s/]+){2,}/g, "…").slice(0, 200);
}

/** Retries a job; false if it does not exist, or was not given up. */
export const retryFailedJob = (boss: PgBoss, queue: string, id: string): Promise<boolean> =>
  updateFailedJob(boss, retryStatement, queue, id);
export const removeFailedJob = (boss: PgBoss, queue: string, id: string): Promise<boolean> =>
  updateFailedJob(boss, removeStatement, queue, id);

/** Makes the jobs of a queue due at once that failed with an error of these properties and are going to be retried. */
export async function endPauses(boss: PgBoss, queue: string, error: Readonly<Record<string, unknown>>): Promise<void> {
  const statement = `update pgboss.job set start_after = now()
    where name = $1 and state = 'retry' and start_after > now() and output @> $2::jsonb`;
  await boss.getDb().executeSql(statement, [queue, JSON.stringify(error)]);
}

// The same as in pg-boss: one more attempt.
const retryStatement = `update pgboss.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null, start_after = now()
  where name = $1 and id = $2 and state = 'failed' returning id`;
const removeStatement = "delete from pgboss.job where name = $1 and id = $2 and state = 'failed' returning id";
const updateFailedJob = async (boss: PgBoss, statement: string, queue: string, id: string): Promise<boolean> =>
  (await boss.getDb().executeSql(statement, [queue, id])).rows.length > 0;

export const messageOf = (output: unknown): string => (output as { message?: string } | null)?.message ?? "";
