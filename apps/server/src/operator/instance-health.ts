import { statfs } from "node:fs/promises";
import { healthRules, lightNames } from "@arcada/contract/operator/health.calls";
import type { Health, HealthLight, LightState } from "@arcada/contract/operator/health.calls";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database } from "../platform/database/database.ts";
import { listTasks } from "../platform/jobs/repeated-tasks.ts";
import { checkReadiness } from "../platform/telemetry/readiness.ts";
import { countOpenStreams } from "../platform/live/live-streams.ts";
import { eventLoopLag } from "../platform/runtime/event-loop-lag.ts";
import { currentIsolation } from "../platform/runtime/sandbox.ts";
import { jobs } from "../platform/runtime/services.ts";
import { version } from "../platform/runtime/version.ts";
import { sealTaskName } from "./audit.sealer.ts";
import { checkBackups, warningLights } from "./backup-health.ts";
import { listAuditChecks } from "./audit.store.ts";
import {
  readDatabaseFacts,
  countFaults,
  findLastScrubEnd,
  listLatestErrors,
  findLatestScrub,
  sumStoreSizes,
  type StoreSizes,
} from "./instance-health.store.ts";

type HealthContext = ManualTransactionContext<MemberContext>;

/**
 * Returns the health of the instance as far as this process can tell. It holds no connection while it tests the other
 * services.
 */
export async function checkHealth({ inTransaction, database, config, now }: HealthContext): Promise<Health> {
  const ready = Object.entries(await checkReadiness(config, database)).map(([name, says]) => ({ name, says }));
  const queues = (await jobs().counts()).map(({ dead, ...queue }) => ({ ...queue, failed: dead }));
  const tasks = await database.asSystem(listTasks);
  const disk = config.S3_ENDPOINT ? null : await measureDisk(config.dataDir);
  const sizes = await recentStoreSizes(database);
  const found = await inTransaction(({ db }) =>
    bypassTenantScope(db, async () => ({
      faults: await countFaults(db),
      scrub: await findLatestScrub(db),
      scrubbed: await findLastScrubEnd(db),
      facts: await readDatabaseFacts(db),
      check: (await listAuditChecks(db)).find(({ finished_at }) => finished_at !== null),
      errors: await listLatestErrors(db),
      backup: await checkBackups(db, config, now),
    })),
  );
  const health = {
    at: now.toISOString(),
    ready,
    queues,
    tasks,
    storage: {
      kind: config.S3_ENDPOINT ? ("s3" as const) : ("disk" as const),
      ...sizes,
      free: disk?.free ?? null,
      total: disk?.total ?? null,
      ...found.faults,
      scrub: found.scrub
        ? { ...found.scrub, startedAt: found.scrub.started_at, finishedAt: found.scrub.finished_at }
        : null,
    },
    database: found.facts,
    process: {
      streams: countOpenStreams(),
      lag: eventLoopLag(),
      memory: process.memoryUsage.rss(),
      since: new Date(now.getTime() - process.uptime() * 1000).toISOString(),
      version,
      runtime: process.version,
      isolation: await currentIsolation(),
    },
    errors: found.errors,
    backup: found.backup,
  };
  return { ...health, lights: deriveLights(health, { scrubbed: found.scrubbed, check: found.check ?? null, now }) };
}

async function measureDisk(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

const sizesCacheMs = 60_000;
let cachedSizes: { at: number; of: Promise<StoreSizes> } | null = null;
/** Summed up once a minute, however often it is requested. */
function recentStoreSizes(database: Database): Promise<StoreSizes> {
  if (!cachedSizes || Date.now() - cachedSizes.at > sizesCacheMs)
    cachedSizes = { at: Date.now(), of: database.asSystem(sumStoreSizes) };
  cachedSizes.of.catch(() => (cachedSizes = null));
  return cachedSizes.of;
}

interface PastChecks {
  /** Time at which the whole store was last read. */
  scrubbed: string | null;
  check: { finished_at: string | null; broken: number | null } | null;
  now: Date;
}
/** Derives the lights from the health: good, watch, bad or unknown for each part. */
export function deriveLights(health: Omit<Health, "lights">, { scrubbed, check, now }: PastChecks): HealthLight[] {
  const { queues, storage, database, process: ownProcess } = health;
  const isReady = (name: string) => health.ready.find((one) => one.name === name)?.says === "ok";
  const days = (since: string | null) => (since ? (now.getTime() - Date.parse(since)) / 86_400_000 : null);
  const [checked, read] = [days(check?.finished_at ?? null), days(scrubbed)];
  const emailQueues = queues.filter(({ name }) => name === "letter");
  const others = queues.filter(({ name }) => name !== "letter");
  const states: Record<HealthLight["name"], LightState> = {
    database: isReady("database")
      ? rateAgainst(database.connections / database.connectionsMost, healthRules.connections)
      : "bad",
    storage: isReady("storage") ? "good" : "bad",
    disk: !isReady("disk")
      ? "bad"
      : storage.free === null || storage.total === null
        ? "unknown"
        : rateAgainst(-storage.free / storage.total, { watch: -healthRules.free.watch, bad: -healthRules.free.bad }),
    jobs: rateQueues(others),
    tasks: rateTasks(health.tasks),
    mail: rateQueues(emailQueues),
    files:
      storage.broken + storage.missing > 0
        ? "bad"
        : read === null
          ? "unknown"
          : read > healthRules.scrubDays
            ? "watch"
            : "good",
    trail:
      check && check.broken !== null
        ? "bad"
        : checked === null
          ? "unknown"
          : checked > healthRules.checkDays
            ? "watch"
            : "good",
    backup: health.backup.warning === null ? "good" : warningLights[health.backup.warning],
    process: rateAgainst(ownProcess.lag.late, healthRules.lag),
  };
  return lightNames.map((name) => ({ name, state: states[name] }));
}

const rateAgainst = (value: number, { watch, bad }: { watch: number; bad: number }): LightState =>
  value >= bad ? "bad" : value >= watch ? "watch" : "good";

const rateTasks = (tasks: Health["tasks"]): LightState => {
  // Every process that runs jobs registers this task: none has ever been started.
  if (!tasks.some(({ name }) => name === sealTaskName)) return "bad";
  if (tasks.some(({ age, toleratedSeconds }) => age > toleratedSeconds)) return "bad";
  return tasks.some(({ failures }) => failures > 0) ? "watch" : "good";
};

const rateQueues = (queues: Health["queues"]): LightState => {
  const waiting = rateAgainst(Math.max(0, ...queues.map(({ oldest }) => oldest)), healthRules.waiting);
  return waiting === "good" && queues.some(({ failed }) => failed > 0) ? "watch" : waiting;
};
