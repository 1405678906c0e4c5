import { randomUUID } from "node:crypto";
import { CompiledQuery } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import type { DatabaseOptions, Job, JobWithMetadata } from "pg-boss";
import type pg from "pg";
import { withoutWaiting } from "./db.ts";
import type { Db } from "./db.ts";
import { planMark } from "./planned-once.ts";

interface JobRun {
  id: string;
  /** 1 for the first time. */
  attempt: number;
}
/**
 * Runs at least once, perhaps again after a crash: it must not mind. `signal` is aborted when the process stops or the
 * job was taken away; what throws is tried again.
 */
type JobHandler<T extends object> = (data: T, signal: AbortSignal, run: JobRun) => Promise<unknown>;

interface WorkOptions<T extends object> {
  /** How many at once in this process. */
  teamSize?: number;
  /** How many of one group at once in this process: the others of the team are left to other groups. */
  ofOneGroup?: number;
  /** Called once after the last attempt failed, also when every attempt died with its process. Tried again itself. */
  whenDead?: (data: T, job: { id: string; error: string }) => Promise<unknown>;
}
interface SendOptions {
  /** While one with this key waits, a second is not made. */
  singletonKey?: string;
  afterSeconds?: number;
  /** How often and how far apart it is tried, where five times within minutes are too few. */
  patience?: { tries: number; longestWaitSeconds: number };
  /** Of two that wait the higher one is begun first; 0 where nothing else is said. */
  priority?: number;
  /** For whom it works: see `WorkOptions.ofOneGroup`. */
  group?: string;
  /** How long its data is kept when it is done; three days where nothing else is said. */
  keepSeconds?: number;
}
interface JobCounts {
  name: string;
  waiting: number;
  active: number;
  /** Given up after the last attempt. */
  dead: number;
  /** Seconds that the oldest due job has waited. */
  oldest: number;
}

/** A job that was given up; what it was to work on is nobody's to read. */
interface FailedJob {
  id: string;
  queue: string;
  failedAt: string | null;
  tries: number;
  error: string;
}

export interface Jobs {
  /** Part of the transaction: a rollback takes the job with it. Answers the job's id, null where `singletonKey` held it back. */
  send<T extends object>(db: Db, name: string, data: T, options?: SendOptions): Promise<string | null>;
  /** The same for several at once. Nobody waits until they are added: where they cannot be, the transaction is undone. */
  sendUnseen<T extends object>(db: Db, name: string, data: readonly T[], options?: SendOptions): Promise<void>;
  work<T extends object>(name: string, handler: JobHandler<T>, options?: WorkOptions<T>): Promise<void>;
  /** `cron` in UTC; one run each time, however many processes there are. */
  schedule(name: string, cron: string): Promise<void>;
  counts(): Promise<JobCounts[]>;
  /** The latest first. */
  failed(most: number, queue?: string): Promise<FailedJob[]>;
  /** False where it is not there, or was not given up. */
  retry(queue: string, id: string): Promise<boolean>;
  removeFailed(queue: string, id: string): Promise<boolean>;
  /** Lets running jobs end for that long, then aborts them; they run again elsewhere. */
  stop(graceSeconds?: number): Promise<void>;
}

export interface JobSettings {
  /** False: this process only sends. */
  works?: boolean;
  /** Hears what went wrong where nobody waits for an answer. */
  onError?: (error: unknown, about: string) => void;
  /** No wait between two tries is longer: for those who cannot wait for an hour to pass. */
  longestWaitSeconds?: number;
}

// A worker that is killed stops its heartbeat: after 10 s the job is somebody else's. Five tries spread over minutes
// outlast a restart of the database or a full disk.
const queueOptions = {
  policy: "short",
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 3 * 3600,
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  deleteAfterSeconds: 3 * 24 * 3600,
} as const;
const deadName = (name: string): string => `${name}.dead`;

/** Jobs in the same database, in their own schema and over their own small pool, as its owner. */
export async function openJobs(connection: pg.PoolConfig, settings: JobSettings = {}): Promise<Jobs> {
  const { works = true, onError = complain, longestWaitSeconds = Number.POSITIVE_INFINITY } = settings;
  const boss = new PgBoss(optionsOf(connection, works));
  boss.on("error", (error) => onError(error, "jobs"));
  await boss.start();
  await grant(boss);
  const stopping = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const queue = (name: string): Promise<void> => {
    const known = queues.get(name) ?? makeQueue(boss, name);
    queues.set(name, known);
    // A queue that could not be made is asked for again.
    known.catch(() => queues.delete(name));
    return known;
  };
  return {
    send: async (db, name, data, options = {}) => {
      await queue(name);
      return boss.send(name, data, { ...termsOf(options, longestWaitSeconds), db: keptBy(db) });
    },
    sendUnseen: async (db, name, data, options = {}) => {
      await queue(name);
      const made = data.map((one) => ({ data: one, ...termsOf(options, longestWaitSeconds) }));
      if (made.length > 0) await boss.insert(name, made, { db: unseenBy(db) });
    },
    work: async (name, handler, options = {}) => {
      await queue(name);
      await work(boss, name, options, onError, (job: Job<never>) =>
        handler(job.data, AbortSignal.any([job.signal, stopping.signal]), { id: job.id, attempt: job.retryCount + 1 }),
      );
      const { whenDead } = options;
      if (whenDead)
        await work(boss, deadName(name), {}, onError, (job: JobWithMetadata<never>) =>
          whenDead(job.data, { id: job.sourceId ?? job.id, error: messageOf(job.sourceOutput) }),
        );
    },
    schedule: async (name, cron) => {
      await queue(name);
      await boss.schedule(name, cron);
    },
    counts: () => counts(boss),
    failed: (most, queue) => failedJobs(boss, most, queue ?? null),
    retry: (queue, id) => touched(boss, retried, queue, id),
    removeFailed: (queue, id) => touched(boss, removed, queue, id),
    stop: async (graceSeconds = 20) => {
      const timer = setTimeout(() => stopping.abort(new Error("the process stops")), graceSeconds * 1000);
      await boss.stop({ timeout: (graceSeconds + 5) * 1000 });
      clearTimeout(timer);
    },
  };
}

function termsOf(options: SendOptions, longestWaitSeconds: number) {
  const id = randomUUID();
  return {
    id,
    // The queue holds one waiting job for each key; without a key of its own a job must not stand in another's way.
    singletonKey: options.singletonKey ?? id,
    ...(options.afterSeconds !== undefined && { startAfter: options.afterSeconds }),
    ...(options.patience && {
      retryLimit: options.patience.tries,
      retryBackoff: true,
      retryDelayMax: Math.min(options.patience.longestWaitSeconds, longestWaitSeconds),
    }),
    ...(options.priority !== undefined && { priority: options.priority }),
    ...(options.group !== undefined && { group: { id: options.group } }),
    ...(options.keepSeconds !== undefined && { deleteAfterSeconds: options.keepSeconds }),
  };
}

/** What the queue asks to add a job is always the same. */
function keptBy(db: Db): ReturnType<typeof fromKysely> {
  const plain = fromKysely(db);
  return { ...plain, executeSql: (text, values) => plain.executeSql(`${planMark} ${text}`, values) };
}

const unseenBy = (db: Db): ReturnType<typeof fromKysely> => ({
  executeSql: async (text, values) => {
    withoutWaiting(db, CompiledQuery.raw(`${planMark} ${text}`, values));
    return { rows: [] };
  },
});

const optionsOf = (connection: pg.PoolConfig, works: boolean) => ({
  ...(connection as DatabaseOptions),
  max: 4,
  // All queues look through these few: where the database answers slowly a word waits in line. Given up after the usual ten
  // seconds, the end of a job was not heard, and the job was done once more.
  connectionTimeoutMillis: 60_000,
  schema: "pgboss",
  useListenNotify: works,
  supervise: works,
  schedule: works,
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
});

async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(deadName(name), { ...queueOptions, policy: "standard", retryLimit: 20 });
  await boss.createQueue(name, { ...queueOptions, deadLetter: deadName(name) });
}

async function work<J extends Job<never>>(
  boss: PgBoss,
  name: string,
  { teamSize = 1, ofOneGroup }: Pick<WorkOptions<never>, "teamSize" | "ofOneGroup">,
  onError: NonNullable<JobSettings["onError"]>,
  run: (job: J) => Promise<unknown>,
): Promise<void> {
  const options = {
    localConcurrency: teamSize,
    ...(ofOneGroup !== undefined && { localGroupConcurrency: ofOneGroup }),
    includeMetadata: true,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
  };
  const worker: string = await boss.work<never>(name, options, async ([job]) => {
    try {
      await run(job as unknown as J);
    } catch (error) {
      onError(error, `job ${name}`);
      throw error;
    } finally {
      // There may be more waiting: look at once instead of after the polling interval.
      boss.notifyWorker(worker);
    }
  });
}

/** Jobs are sent inside the transactions of the walled roles; they may add one and see its id, nothing else. */
async function grant(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql(`do $$ begin
    perform pg_advisory_xact_lock(hashtextextended('arcada jobs', 0));
    if has_column_privilege('arcada_app', 'pgboss.job_common', 'start_after', 'select') then return; end if;
    grant usage on schema pgboss to arcada_app, arcada_system;
    grant select on pgboss.queue to arcada_app, arcada_system;
    grant insert, select (id, start_after) on pgboss.job_common to arcada_app, arcada_system;
  end $$`);
}

async function counts(boss: PgBoss): Promise<JobCounts[]> {
  const { rows } = await boss.getDb().executeSql(`select name,
      count(*) filter (where state in ('created', 'retry'))::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'failed')::int as dead,
      coalesce(extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after < now())), 0)::float as oldest
    from pgboss.job where name not like '%.dead' and name not like '\\_\\_pgboss%' group by name order by name`);
  return rows as JobCounts[];
}

async function failedJobs(boss: PgBoss, most: number, queue: string | null): Promise<FailedJob[]> {
  const { rows } = await boss.getDb().executeSql(
    `select id, name as queue, completed_on as "failedAt", retry_count + 1 as tries, output from pgboss.job
    where state = 'failed' and name not like '%.dead' and name not like '\\_\\_pgboss%' and ($2::text is null or name = $2)
    order by completed_on desc nulls last, id limit $1`,
    [most, queue],
  );
  return (rows as (Omit<FailedJob, "failedAt"> & { failedAt: Date | null; output: unknown })[]).map(
    ({ output, failedAt, ...job }) => ({
      ...job,
      failedAt: failedAt?.toISOString() ?? null,
      error: namelessError(output),
    }),
  );
}

/** What is quoted in a message may be a file's name or a row's value: it stays away. Of the database, the rule alone is told. */
function namelessError(output: unknown): string {
  const { severity, code, table, column, constraint } = (output ?? {}) as Partial<Record<string, unknown>>;
  if (severity !== undefined) return [code, table, column, constraint].filter(Boolean).join(" ");
  const [line = ""] = messageOf(output).split("\n");
  return line.replace(/"[^"]*"|'[^']*'|(?:\/[^\s/]+){2,}/g, "…").slice(0, 200);
}

// As pg-boss does it itself: one try more.
const retried = `update pgboss.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null, start_after = now()
  where name = $1 and id = $2 and state = 'failed' returning id`;
const removed = "delete from pgboss.job where name = $1 and id = $2 and state = 'failed' returning id";
const touched = async (boss: PgBoss, statement: string, queue: string, id: string): Promise<boolean> =>
  (await boss.getDb().executeSql(statement, [queue, id])).rows.length > 0;

const messageOf = (output: unknown): string => (output as { message?: string } | null)?.message ?? "";
const complain = (error: unknown, about: string): void =>
  console.error(JSON.stringify({ level: "error", about, message: (error as Error).message }));
