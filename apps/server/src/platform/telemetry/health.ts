import { open, rm, statfs } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { findLatestRuns } from "../backup/backup-runs.ts";
import type { LatestRuns } from "../backup/backup-runs.ts";
import type { Config } from "../runtime/config.ts";
import type { Database } from "../database/database.ts";
import { isFromThisMachine } from "../http/host-guard.ts";
import { watchEventLoopLag } from "../runtime/event-loop-lag.ts";

const minimumFreeBytes = 200 * 1024 * 1024;

/**
 * Serves liveness, readiness and metrics. `stopping` makes a load balancer switch to another instance before the
 * process ends.
 */
export function serveHealth(
  app: FastifyInstance,
  config: Config,
  database: Database,
  state: { stopping: boolean },
): void {
  const live = async () => ({ status: "alive" });
  app.get("/livez", live);
  app.get("/healthz", live);
  app.get("/readyz", async (request, reply) => {
    const found = await checkReadiness(config, database);
    const checks = Object.fromEntries(Object.entries(found).map(([name, says]) => [name, toPublicReason(says)]));
    // Messages of the system contain folders and addresses: they are for the log and the operator's page.
    if (Object.values(found).some((says) => says !== "ok")) request.log.error({ checks: found }, "not ready");
    const ready = !state.stopping && Object.values(checks).every((check) => check === "ok");
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ready" : state.stopping ? "stopping" : "not ready", checks });
  });
  const stopWatching = watchEventLoopLag();
  app.addHook("onClose", async () => stopWatching());
  serveMetrics(app, config, database);
}

const timeoutReason = "no answer within 3 s";
const diskFullReason = "less than 200 MB free";
/** Anybody may read the result of a check, so it contains only our own reasons and nothing of a system message. */
const toPublicReason = (says: string): string =>
  ["ok", timeoutReason, diskFullReason].includes(says) ? says : "failed";

/** The conditions for accepting requests, each "ok" or the fault. */
export const checkReadiness = async (config: Config, database: Database) => ({
  database: await runCheck(() => checkDatabase(database)),
  storage: await runCheck(() => checkStorage(config)),
  disk: await runCheck(() => checkDiskSpace(config)),
});

async function runCheck(check: () => Promise<void>): Promise<string> {
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => setTimeout(() => reject(new Error(timeoutReason)), 3000).unref()),
    ]);
    return "ok";
  } catch (error) {
    return (error as Error).message;
  }
}

const checkDatabase = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    await sql`insert into readiness (id, at) values (1, now()) on conflict (id) do update set at = now()`.execute(db);
  });
async function checkStorage(config: Config): Promise<void> {
  const file = path.join(config.dataDir, `.ready-${process.pid}`);
  const handle = await open(file, "w");
  try {
    await handle.write("ready");
    await handle.sync();
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}
async function checkDiskSpace(config: Config): Promise<void> {
  const { bavail, bsize } = await statfs(config.dataDir);
  if (bavail * bsize < minimumFreeBytes) throw new Error(diskFullReason);
}

function serveMetrics(app: FastifyInstance, config: Config, database: Database): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: "arcada_request_seconds",
    help: "Time to answer a request",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "arcada_database_connections",
    help: "Connections of the pool",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "open" }, database.pool.totalCount);
      this.set({ state: "idle" }, database.pool.idleCount);
      this.set({ state: "waiting" }, database.pool.waitingCount);
    },
  });
  measureBackups(registry, database);
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  // Metrics are for the machine itself, or for the holder of the token, also through a proxy.
  app.get("/metrics", async (request, reply) => {
    const allowed = config.METRICS_TOKEN
      ? request.headers.authorization === `Bearer ${config.METRICS_TOKEN}`
      : isFromThisMachine(request);
    if (!allowed) return reply.code(403).send("");
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const runsCacheMs = 1000;

function measureBackups(registry: Registry, database: Database): void {
  // One scrape asks the database once, and keeps the values of the former one while it is out of reach.
  let cached: { at: number; runs: Promise<LatestRuns | null> } | null = null;
  const readRuns = (): Promise<LatestRuns | null> => {
    if (!cached || Date.now() - cached.at > runsCacheMs)
      cached = { at: Date.now(), runs: database.asSystem(findLatestRuns).catch(() => null) };
    return cached.runs;
  };
  for (const [name, { help, measure }] of Object.entries(backupGauges))
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const runs = await readRuns();
        if (runs) this.set(measure(runs));
      },
    });
}

const toSeconds = (instant: string | undefined): number => (instant === undefined ? 0 : Date.parse(instant) / 1000);
const backupGauges: Record<string, { help: string; measure: (runs: LatestRuns) => number }> = {
  arcada_backup_last_success_seconds: {
    help: "Time at which the newest complete backup ended, in seconds since 1970; 0 without one",
    measure: ({ backup }) => toSeconds(backup?.finished_at),
  },
  arcada_backup_age_seconds: {
    help: "Time since the newest complete backup was begun; infinite without one",
    measure: ({ backup }) => (backup ? Date.now() / 1000 - toSeconds(backup.started_at) : Number.POSITIVE_INFINITY),
  },
  arcada_backup_verified_seconds: {
    help: "Time of the newest verification that found no fault, in seconds since 1970; 0 without one",
    measure: ({ verified }) => toSeconds(verified?.finished_at),
  },
  arcada_backup_failed: {
    help: "1 if the last backup or the last verification failed",
    measure: ({ failure, verification }) => (failure !== null || verification?.ok === false ? 1 : 0),
  },
};
