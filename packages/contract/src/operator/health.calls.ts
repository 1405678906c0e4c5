import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, emptyObject, nullOutput } from "../kernel/fields.ts";

const access = ["operator"] as const;

/** The monitored parts, each with its own status light. */
export const lightNames = [
  "database",
  "storage",
  "disk",
  "jobs",
  "tasks",
  "mail",
  "files",
  "trail",
  "backup",
  "process",
] as const;
export const lightStates = ["good", "watch", "bad", "unknown"] as const;
export type LightState = (typeof lightStates)[number];
export const healthLight = z.object({ name: z.enum(lightNames), state: z.enum(lightStates) });
export type HealthLight = z.output<typeof healthLight>;

/**
 * The isolation of an external model: namespaces without files or network; a user who owns nothing; or the permissions
 * of the JavaScript runtime alone, which do not bind native code.
 */
export const isolations = ["namespace", "user", "permission"] as const;
export type Isolation = (typeof isolations)[number];

/** From where on a figure is to be watched, and from where it is bad. */
export const healthRules = {
  /** Seconds that the oldest job waits. */
  waiting: { watch: 120, bad: 1800 },
  /** Milliseconds by which timers come late, in one of a hundred. */
  lag: { watch: 100, bad: 500 },
  /** Share of the disk that is free. */
  free: { watch: 0.15, bad: 0.05 },
  /** Share of the database's connections that are taken. */
  connections: { watch: 0.7, bad: 0.9 },
  /** Days since the last complete check of the store, or of the audit log. */
  scrubDays: 21,
  checkDays: 8,
  /** Hours since the start of the newest backup. */
  backupHours: 26,
  /** Seconds that a segment of the WAL waits for the archive. */
  archiveSeconds: 600,
  everySeconds: 10,
  maxFailedJobs: 100,
} as const;

export const queue = z.object({
  name: z.string(),
  waiting: z.int(),
  active: z.int(),
  /** Jobs that failed in their last attempt. */
  failed: z.int(),
  /** Seconds that the oldest due job has waited. */
  oldest: z.number(),
});
export type Queue = z.output<typeof queue>;

/** Work that is repeated beside the queues, in whatever process. */
export const repeatedTask = z.object({
  name: z.string(),
  everySeconds: z.number(),
  /** The age of the last success from which on the task is late. */
  toleratedSeconds: z.number(),
  /** Seconds since the last success, or since the first start while there was none. */
  age: z.number(),
  succeededAt: instant.nullable(),
  failedAt: instant.nullable(),
  /** Failures since the last success. */
  failures: z.int(),
  error: z.string().nullable(),
});
export type RepeatedTask = z.output<typeof repeatedTask>;

export const failedJob = z.object({
  id,
  queue: z.string(),
  failedAt: instant.nullable(),
  tries: z.int(),
  error: z.string(),
});
export type FailedJob = z.output<typeof failedJob>;

/** The faults of backups that an operator has to see to, the most serious first. */
export const backupWarnings = [
  "failed",
  "old",
  "verificationFailed",
  "archiveBehind",
  "notConfigured",
  "noneYet",
  "filesDamaged",
  "notVerified",
] as const;
export type BackupWarning = (typeof backupWarnings)[number];

const backupHealth = z.object({
  /** The setting BACKUP_DIR. */
  target: z.string().nullable(),
  running: z.boolean(),
  /** The newest complete backup. */
  last: z
    .object({
      at: instant,
      name: z.string(),
      target: z.string(),
      files: z.int(),
      bytes: z.int(),
      /** Stored files that were damaged before the backup. */
      fault: z.string().nullable(),
    })
    .nullable(),
  /** The last attempt, if it failed. */
  failure: z.object({ at: instant, fault: z.string().nullable() }).nullable(),
  verification: z
    .object({ at: instant, name: z.string().nullable(), ok: z.boolean(), fault: z.string().nullable() })
    .nullable(),
  /** The archive of the WAL; null: there is none. */
  archive: z
    .object({
      /** The time at which the last segment reached it. */
      at: instant.nullable(),
      waiting: z.int(),
      /** The time since which the oldest segment waits. */
      since: instant.nullable(),
      fault: z.string().nullable(),
    })
    .nullable(),
  warning: z.enum(backupWarnings).nullable(),
});
export type BackupHealth = z.output<typeof backupHealth>;

/** Null: unknown, for example for a store that is not a disk. */
const health = z.object({
  at: instant,
  lights: z.array(healthLight),
  /** As /readyz reports them: "ok", or the problem. */
  ready: z.array(z.object({ name: z.string(), says: z.string() })),
  queues: z.array(queue),
  tasks: z.array(repeatedTask),
  storage: z.object({
    kind: z.enum(["disk", "s3"]),
    originals: z.object({ files: z.int(), bytes: z.int() }),
    converted: z.object({ files: z.int(), bytes: z.int() }),
    free: z.int().nullable(),
    total: z.int().nullable(),
    broken: z.int(),
    missing: z.int(),
    scrub: z
      .object({
        startedAt: instant,
        finishedAt: instant.nullable(),
        files: z.int(),
        bytes: z.int(),
        broken: z.int(),
        missing: z.int(),
      })
      .nullable(),
  }),
  database: z.object({ bytes: z.int(), connections: z.int(), connectionsMost: z.int(), version: z.string() }),
  process: z.object({
    /** Open streams of events, in the process that answers. */
    streams: z.int(),
    /** Milliseconds by which timers came late: half of them at most, ninety-nine of a hundred at most. */
    lag: z.object({ median: z.number(), late: z.number() }),
    memory: z.int(),
    since: instant,
    version: z.string(),
    runtime: z.string(),
    /** Null: no model from outside has run in this process yet. */
    isolation: z.enum(isolations).nullable(),
  }),
  backup: backupHealth,
  errors: z.array(z.object({ at: instant, message: z.string(), path: z.string() })),
});
export type Health = z.output<typeof health>;

const jobReference = z.object({ queue: limited(100).min(1), id });

export const healthCalls = {
  health: call({
    method: "GET",
    path: "/v1/operator/health",
    access,
    summary: "How the instance is: queues, storage, database, and the process that answers.",
    input: emptyObject,
    output: health,
  }),
  failedJobs: call({
    method: "GET",
    path: "/v1/operator/failedJobs",
    access,
    summary: "Jobs that were given up, the latest first, without what they were to work on.",
    input: z.object({ queue: limited(100).optional() }),
    output: z.array(failedJob),
  }),
  retryJob: call({
    method: "POST",
    path: "/v1/operator/retryJob",
    access,
    summary: "Tries a job once more that was given up.",
    isIdempotent: true,
    audit: "operator.retryJob",
    input: jobReference,
    output: nullOutput,
  }),
  removeJob: call({
    method: "POST",
    path: "/v1/operator/removeJob",
    access,
    summary: "Removes a job that was given up.",
    isIdempotent: true,
    audit: "operator.removeJob",
    input: jobReference,
    output: nullOutput,
  }),
} as const;
