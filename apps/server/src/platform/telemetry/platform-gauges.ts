import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import { findLatestRuns } from "../backup/backup-runs.ts";
import { listTasks } from "../jobs/repeated-tasks.ts";
import { countOpenStreams } from "../live/live-streams.ts";
import { eventLoopLag } from "../runtime/event-loop-lag.ts";
import { jobs } from "../runtime/services.ts";
import { version } from "../runtime/version.ts";
import type { Gauge, GaugeServices, GaugeValue } from "./gauges.ts";
import { checkReadiness } from "./readiness.ts";

/**
 * The figures of the platform itself. Those of the database are the same in every process; those of a process (streams,
 * event loop, connections, disk) are its own.
 */
export const platformGauges = (services: GaugeServices): readonly Gauge[] => [
  processGauge(services),
  readinessGauge(services),
  diskGauge(services),
  jobGauge(),
  taskGauge(services),
  uploadGauge(services),
  backupGauge(services),
];

const single = (value: number): readonly GaugeValue[] => [{ value }];

const processGauge = ({ config, database }: GaugeServices): Gauge => ({
  metrics: {
    arcada_info: { help: "Always 1; the labels tell version and role", labels: ["version", "role"] },
    arcada_database_connections: { help: "Connections of the pool", labels: ["state"] },
    arcada_database_replica_delay_seconds: {
      help: "Age of the state that the replica is known to have; infinite: it is not used",
    },
    arcada_live_streams: { help: "Open streams of events in this process" },
    arcada_event_loop_lag_seconds: {
      help: "Time by which timers came late in the last minute",
      labels: ["quantile"],
    },
  },
  keepMs: 0,
  read: async () => {
    const { totalCount, idleCount, waitingCount } = database.pool;
    const lag = eventLoopLag();
    return {
      arcada_info: [{ labels: { version, role: config.ARCADA_ROLE }, value: 1 }],
      arcada_database_connections: [
        { labels: { state: "open" }, value: totalCount },
        { labels: { state: "idle" }, value: idleCount },
        { labels: { state: "waiting" }, value: waitingCount },
      ],
      ...(database.replica && { arcada_database_replica_delay_seconds: single(database.replica.delaySeconds()) }),
      arcada_live_streams: single(countOpenStreams()),
      arcada_event_loop_lag_seconds: [
        { labels: { quantile: "0.5" }, value: lag.median / 1000 },
        { labels: { quantile: "0.99" }, value: lag.late / 1000 },
      ],
    };
  },
});

const readinessGauge = ({ config, database }: GaugeServices): Gauge => ({
  metrics: {
    arcada_ready: { help: "1 if the check of /readyz succeeds in this process, otherwise 0", labels: ["check"] },
  },
  keepMs: 10_000,
  read: async () => ({
    arcada_ready: Object.entries(await checkReadiness(config, database)).map(([check, says]) => ({
      labels: { check },
      value: says === "ok" ? 1 : 0,
    })),
  }),
});

const diskGauge = ({ config }: GaugeServices): Gauge => ({
  metrics: {
    arcada_disk_free_bytes: { help: "Free space of the disk of the data folder" },
    arcada_disk_total_bytes: { help: "Size of the disk of the data folder" },
  },
  keepMs: 10_000,
  read: async () => {
    const { bavail, blocks, bsize } = await statfs(config.dataDir);
    return { arcada_disk_free_bytes: single(bavail * bsize), arcada_disk_total_bytes: single(blocks * bsize) };
  },
});

const jobGauge = (): Gauge => ({
  metrics: {
    arcada_jobs: {
      help: "Jobs of a queue: waiting, active, or failed in their last attempt",
      labels: ["queue", "state"],
    },
    arcada_job_oldest_seconds: { help: "Time that the oldest due job of a queue has waited", labels: ["queue"] },
  },
  keepMs: 10_000,
  read: async () => {
    const counts = await jobs().counts();
    return {
      arcada_jobs: counts.flatMap(({ name: queue, waiting, active, dead }) => [
        { labels: { queue, state: "waiting" }, value: waiting },
        { labels: { queue, state: "active" }, value: active },
        { labels: { queue, state: "failed" }, value: dead },
      ]),
      arcada_job_oldest_seconds: counts.map(({ name: queue, oldest }) => ({ labels: { queue }, value: oldest })),
    };
  },
});

const taskGauge = ({ database }: GaugeServices): Gauge => ({
  metrics: {
    arcada_task_last_success_seconds: {
      help: "Unix time at which a repeated task last succeeded in any process",
      labels: ["task"],
    },
    arcada_task_tolerated_seconds: {
      help: "Age of the last success from which on a repeated task is late",
      labels: ["task"],
    },
  },
  keepMs: 5000,
  read: async () => {
    const tasks = await database.asSystem(listTasks);
    return {
      arcada_task_last_success_seconds: tasks.map(({ name, lastSuccess }) => ({
        labels: { task: name },
        value: lastSuccess,
      })),
      arcada_task_tolerated_seconds: tasks.map(({ name, toleratedSeconds }) => ({
        labels: { task: name },
        value: toleratedSeconds,
      })),
    };
  },
});

const uploadGauge = ({ database }: GaugeServices): Gauge => ({
  metrics: {
    arcada_uploads: { help: "Uploads that are open, or received and not assigned yet", labels: ["state"] },
    arcada_upload_oldest_seconds: { help: "Age of the oldest upload that is not finished", labels: ["state"] },
  },
  keepMs: 10_000,
  read: async () => {
    const rows = await database.asSystem((db) =>
      db
        .selectFrom("upload")
        .select([
          "state",
          sql<number>`count(*)::int`.as("count"),
          sql<number>`extract(epoch from now() - min(created_at))::float`.as("age"),
        ])
        .where("state", "<>", "finished")
        .groupBy("state")
        .execute(),
    );
    const states = ["open", "received"].map(
      (state) => rows.find((row) => row.state === state) ?? { state, count: 0, age: 0 },
    );
    return {
      arcada_uploads: states.map(({ state, count }) => ({ labels: { state }, value: count })),
      arcada_upload_oldest_seconds: states.map(({ state, age }) => ({ labels: { state }, value: age })),
    };
  },
});

const backupGauge = ({ database }: GaugeServices): Gauge => ({
  metrics: {
    arcada_backup_last_success_seconds: {
      help: "Time at which the newest complete backup ended, in seconds since 1970; 0 without one",
    },
    arcada_backup_age_seconds: { help: "Time since the newest complete backup was begun; infinite without one" },
    arcada_backup_verified_seconds: {
      help: "Time of the newest verification that found no fault, in seconds since 1970; 0 without one",
    },
    arcada_backup_failed: { help: "1 if the last backup or the last verification failed" },
  },
  keepMs: 1000,
  read: async () => {
    const { backup, failure, verification, verified } = await database.asSystem(findLatestRuns);
    const age = backup ? Date.now() / 1000 - toSeconds(backup.started_at) : Number.POSITIVE_INFINITY;
    return {
      arcada_backup_last_success_seconds: single(toSeconds(backup?.finished_at)),
      arcada_backup_age_seconds: single(age),
      arcada_backup_verified_seconds: single(toSeconds(verified?.finished_at)),
      arcada_backup_failed: single(failure !== null || verification?.ok === false ? 1 : 0),
    };
  },
});

const toSeconds = (instant: string | undefined): number => (instant === undefined ? 0 : Date.parse(instant) / 1000);
