import { randomUUID } from "node:crypto";
import { CompiledQuery } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import type { DatabaseOptions, Job, JobWithMetadata } from "pg-boss";
import type pg from "pg";
import { noteNotification, sendPipelined } from "../database/database.ts";
import type { Db } from "../database/database.ts";
import { preparedMark } from "../database/prepared-statements.ts";
import { countJobs, endPauses, listFailedJobs, messageOf, removeFailedJob, retryFailedJob } from "./job-overview.ts";
import type { FailedJob, JobCounts } from "./job-overview.ts";
import { prepareJobTable } from "./job-table.ts";
import { startTeam, wakeOneWorkerOfAQueue, wakeWorkers } from "./job-workers.ts";
import type { TeamOptions } from "./job-workers.ts";
import { pollDueQueues } from "./poll-due-queues.ts";
import { describeError } from "../telemetry/redact-error.ts";
import { logEvent } from "../telemetry/log.ts";
import { currentTraceparent } from "../telemetry/tracing.ts";

interface JobRun {
  id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
}
/**
 * A handler runs at least once, and perhaps again after a crash, so it must be idempotent. `signal` is aborted when the
 * process stops or the job was reassigned; a job whose handler throws is retried.
 */
type JobHandler<T extends object> = (data: T, signal: AbortSignal, run: JobRun) => Promise<unknown>;

interface WorkOptions<T extends object> extends TeamOptions {
  /**
   * Called once after the last attempt failed, also if every attempt died with its process. The call itself is retried.
   */
  onDeadLetter?: (data: T, job: { id: string; error: string }) => Promise<unknown>;
}
interface SendOptions {
  /** While a job with this key waits, no second one is made. */
  singletonKey?: string;
  afterSeconds?: number;
  /** The number and the spacing of the retries, if five within minutes are too few. */
  patience?: { tries: number; longestWaitSeconds: number };
  /**
   * Groups take turns in a queue: see also `TeamOptions.ofOneGroup`. Default: the institution of the transaction; none in
   * a transaction of the system.
   */
  group?: string;
  /** The job may wait for the others of its group: bulk jobs have turns of their own, after those of the same round. */
  isBulk?: boolean;
  /** The time for which the data of a finished job is kept. Default: three days. */
  keepSeconds?: number;
}
export type NoData = Record<string, never>;

/** A queue, and the type of the data of its jobs. The name is stored: jobs that wait are lost if it changes. */
export interface Queue<Data extends object> {
  readonly name: string;
  /** Never present: it carries the type of the data. */
  readonly data?: Data;
}

export type QueueData<Q> = Q extends Queue<infer Data> ? Data : never;

/** A slice declares each of its queues once; senders and workers share the constant. */
export const defineQueue = <Data extends object = NoData>(name: string): Queue<Data> => ({ name });

export interface Jobs {
  /**
   * Adds a job as part of the transaction: a rollback removes it. Returns the job's id, or null if `singletonKey`
   * prevented it.
   */
  send<T extends object>(db: Db, queue: Queue<T>, data: NoInfer<T>, options?: SendOptions): Promise<string | null>;
  /** Adds several at once without waiting until they are added: if they cannot be, the transaction is rolled back. */
  sendPipelined<T extends object>(
    db: Db,
    queue: Queue<T>,
    data: readonly NoInfer<T>[],
    options?: SendOptions,
  ): Promise<void>;
  work<T extends object>(
    queue: Queue<T>,
    handler: JobHandler<NoInfer<T>>,
    options?: WorkOptions<NoInfer<T>>,
  ): Promise<void>;
  /** `cron` is in UTC; one run each time, however many processes there are. */
  schedule(queue: Queue<NoData>, cron: string): Promise<void>;
  counts(): Promise<JobCounts[]>;
  /** Returns failed jobs, the latest first. */
  failed(limit: number, queue?: string): Promise<FailedJob[]>;
  /** Retries a job; false if it does not exist, or was not given up. */
  retry(queue: string, id: string): Promise<boolean>;
  removeFailed(queue: string, id: string): Promise<boolean>;
  /** Ends the pauses of the jobs of a queue that failed with such an error and are going to be retried. */
  retryNow(queue: { name: string }, error: Readonly<Record<string, unknown>>): Promise<void>;
  /** Calls the function when the jobs stop. */
  onStop(stop: () => void): void;
  /** Lets running jobs finish for that long, then aborts them; they run again elsewhere. */
  stop(graceSeconds?: number): Promise<void>;
}

export interface JobSettings {
  /** False: this process only sends. */
  isWorker?: boolean;
  /** Receives errors of operations that nobody awaits. */
  onError?: (error: unknown, about: string) => void;
  /** The upper limit of the wait between two attempts, for callers that cannot wait for an hour. */
  longestWaitSeconds?: number;
}

// A worker that is killed stops its heartbeat: after 10 s another worker gets the job. Five attempts spread over
// minutes outlast a restart of the database or a full disk.
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
/** Longer delays may be late by a poll. */
const maxTimerSeconds = 10;
/** A job is due by the clock of the database and after its transaction. */
const dueMarginMs = 30;
const deadLetterName = (name: string): string => `${name}.dead`;

/**
 * Opens the job queue in the same database, in a separate schema and with a small separate pool, as the database's
 * owner.
 */
export async function openJobs(connection: pg.PoolConfig, settings: JobSettings = {}): Promise<Jobs> {
  const { isWorker = true, onError = logError, longestWaitSeconds = Number.POSITIVE_INFINITY } = settings;
  const boss = new PgBoss(bossOptions(connection, isWorker));
  boss.on("error", (error) => onError(error, "jobs"));
  wakeOneWorkerOfAQueue(boss);
  await boss.start();
  await prepareJobTable(boss);
  // Making a queue that exists changes nothing, and takes a hundred statements for all of them at each start.
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  const stopping = new AbortController();
  const stops: (() => void)[] = [];
  const queues = new Map<string, Promise<void>>();
  if (isWorker) stops.push(pollDueQueues(boss, onError));
  /** PostgreSQL notifies of a job when it is sent; a delayed one would be found by the next poll, up to 2 s late. */
  const wakeWhenDue = (name: string, afterSeconds: number | undefined): void => {
    if (!isWorker || afterSeconds === undefined || afterSeconds > maxTimerSeconds) return;
    setTimeout(() => wakeWorkers(boss, name), afterSeconds * 1000 + dueMarginMs).unref();
  };
  const ensureQueue = (name: string): Promise<void> => {
    const isMade = existing.has(name) && existing.has(deadLetterName(name));
    const known = queues.get(name) ?? (isMade ? Promise.resolve() : makeQueue(boss, name));
    queues.set(name, known);
    // A queue that could not be made is tried again.
    known.catch(() => queues.delete(name));
    return known;
  };
  return {
    send: async (db, { name }, data, options = {}) => {
      await ensureQueue(name);
      const id = await boss.send(name, withTraceparent(data), {
        ...sendOptions(options, longestWaitSeconds),
        db: preparedExecutor(db, options),
      });
      wakeWhenDue(name, options.afterSeconds);
      return id;
    },
    sendPipelined: async (db, { name }, data, options = {}) => {
      await ensureQueue(name);
      const made = data.map((one) => ({ data: withTraceparent(one), ...sendOptions(options, longestWaitSeconds) }));
      if (made.length > 0) await boss.insert(name, made, { db: pipelinedExecutor(db, options) });
    },
    work: async ({ name }, handler, options = {}) => {
      await ensureQueue(name);
      await startTeam(boss, name, options, onError, (job: Job<never>) =>
        handler(job.data, AbortSignal.any([job.signal, stopping.signal]), { id: job.id, attempt: job.retryCount + 1 }),
      );
      const { onDeadLetter } = options;
      if (onDeadLetter)
        await startTeam(boss, deadLetterName(name), {}, onError, (job: JobWithMetadata<never>) =>
          onDeadLetter(job.data, { id: job.sourceId ?? job.id, error: messageOf(job.sourceOutput) }),
        );
    },
    schedule: async ({ name }, cron) => {
      await ensureQueue(name);
      await boss.schedule(name, cron);
    },
    counts: () => countJobs(boss),
    failed: (limit, queue) => listFailedJobs(boss, limit, queue ?? null),
    retry: (queue, id) => retryFailedJob(boss, queue, id),
    removeFailed: (queue, id) => removeFailedJob(boss, queue, id),
    retryNow: ({ name }, error) => endPauses(boss, name, error),
    onStop: (stop) => void stops.push(stop),
    stop: async (graceSeconds = 20) => {
      for (const stop of stops) stop();
      const timer = setTimeout(() => stopping.abort(new Error("the process stops")), graceSeconds * 1000);
      await boss.stop({ timeout: (graceSeconds + 5) * 1000 });
      clearTimeout(timer);
    },
  };
}

function sendOptions(options: SendOptions, longestWaitSeconds: number) {
  const id = randomUUID();
  return {
    id,
    // The queue holds one waiting job for each key; a job without a key must not block another.
    singletonKey: options.singletonKey ?? id,
    ...(options.afterSeconds !== undefined && { startAfter: options.afterSeconds }),
    ...(options.patience && {
      retryLimit: options.patience.tries,
      retryBackoff: true,
      retryDelayMax: Math.min(options.patience.longestWaitSeconds, longestWaitSeconds),
    }),
    ...(options.group !== undefined && { group: { id: options.group, ...(options.isBulk && { tier: "bulk" }) } }),
    ...(options.keepSeconds !== undefined && { deleteAfterSeconds: options.keepSeconds }),
  };
}

/** PostgreSQL notifies the workers only of a job that is due at once. */
function noteJob(db: Db, { afterSeconds }: SendOptions): void {
  if (afterSeconds === undefined) noteNotification(db);
}

/** The queue always sends the same statement to add a job, so it is prepared. */
function preparedExecutor(db: Db, options: SendOptions): ReturnType<typeof fromKysely> {
  noteJob(db, options);
  const plain = fromKysely(db);
  return { ...plain, executeSql: (text, values) => plain.executeSql(`${preparedMark} ${text}`, values) };
}

const pipelinedExecutor = (db: Db, options: SendOptions): ReturnType<typeof fromKysely> => ({
  executeSql: async (text, values) => {
    noteJob(db, options);
    sendPipelined(db, CompiledQuery.raw(`${preparedMark} ${text}`, values));
    return { rows: [] };
  },
});

const bossOptions = (connection: pg.PoolConfig, isWorker: boolean) => ({
  ...(connection as DatabaseOptions),
  max: 4,
  // All queues poll through these few connections: if the database is slow, a message waits in line. With the usual
  // limit of ten seconds, the end of a job was lost, and the job was done once more.
  connectionTimeoutMillis: 60_000,
  schema: "pgboss",
  useListenNotify: isWorker,
  supervise: isWorker,
  schedule: isWorker,
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
});

async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(deadLetterName(name), { ...queueOptions, policy: "standard", retryLimit: 20 });
  await boss.createQueue(name, { ...queueOptions, deadLetter: deadLetterName(name) });
}

/** A job continues the trace of what sent it, in whatever process it runs. */
const withTraceparent = <T extends object>(data: T): T => {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? data : { ...data, traceparent };
};

const logError = (error: unknown, about: string): void => logEvent("error", about, describeError(error));
