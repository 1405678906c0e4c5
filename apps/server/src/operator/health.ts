import { statfs } from "node:fs/promises";
import { healthRules, lightNames } from "@arcada/contract/operator/health.calls";
import type { Health, Light, LightState } from "@arcada/contract/operator/health.calls";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database } from "../platform/database/database.ts";
import { readiness } from "../platform/telemetry/health.ts";
import { streamsHere } from "../platform/live/live-streams.ts";
import { lagHere } from "../platform/runtime/event-loop-lag.ts";
import { isolationHere } from "../platform/runtime/sandbox.ts";
import { jobs } from "../platform/runtime/services.ts";
import { version } from "../platform/runtime/version.ts";
import { auditChecks } from "./audit.store.ts";
import {
  databaseFacts,
  faultsIn,
  lastScrubEnd,
  latestErrors,
  latestScrub,
  storeSizes,
  type StoreSizes,
} from "./health.store.ts";

type Asked = ManualTransactionContext<MemberContext>;

/**
 * Returns the health of the instance as far as this process can tell. It holds no connection while it tests the other
 * services.
 */
export async function healthOf({ inTransaction, database, config, now }: Asked): Promise<Health> {
  const ready = Object.entries(await readiness(config, database)).map(([name, says]) => ({ name, says }));
  const queues = (await jobs().counts()).map(({ dead, ...queue }) => ({ ...queue, failed: dead }));
  const disk = config.S3_ENDPOINT ? null : await diskOf(config.dataDir);
  const sizes = await sizesLately(database);
  const found = await inTransaction(({ db }) =>
    bypassTenantScope(db, async () => ({
      faults: await faultsIn(db),
      scrub: await latestScrub(db),
      scrubbed: await lastScrubEnd(db),
      facts: await databaseFacts(db),
      check: (await auditChecks(db)).find(({ finished_at }) => finished_at !== null),
      errors: await latestErrors(db),
    })),
  );
  const health = {
    at: now.toISOString(),
    ready,
    queues,
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
      streams: streamsHere(),
      lag: lagHere(),
      memory: process.memoryUsage.rss(),
      since: new Date(now.getTime() - process.uptime() * 1000).toISOString(),
      version,
      runtime: process.version,
      isolation: await isolationHere(),
    },
    errors: found.errors,
  };
  return { ...health, lights: lightsOf(health, { scrubbed: found.scrubbed, check: found.check ?? null, now }) };
}

async function diskOf(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

const sizesForMs = 60_000;
let summed: { at: number; of: Promise<StoreSizes> } | null = null;
/** Summed up once a minute, however often it is requested. */
function sizesLately(database: Database): Promise<StoreSizes> {
  if (!summed || Date.now() - summed.at > sizesForMs) summed = { at: Date.now(), of: database.asSystem(storeSizes) };
  summed.of.catch(() => (summed = null));
  return summed.of;
}

interface Past {
  /** Time at which the whole store was last read. */
  scrubbed: string | null;
  check: { finished_at: string | null; broken: number | null } | null;
  now: Date;
}
/** Derives the lights from the health: good, watch, bad or unknown for each part. */
export function lightsOf(health: Omit<Health, "lights">, { scrubbed, check, now }: Past): Light[] {
  const { queues, storage, database, process: own } = health;
  const isReady = (name: string) => health.ready.find((one) => one.name === name)?.says === "ok";
  const days = (since: string | null) => (since ? (now.getTime() - Date.parse(since)) / 86_400_000 : null);
  const [checked, read] = [days(check?.finished_at ?? null), days(scrubbed)];
  const letters = queues.filter(({ name }) => name === "letter");
  const others = queues.filter(({ name }) => name !== "letter");
  const states: Record<Light["name"], LightState> = {
    database: isReady("database")
      ? above(database.connections / database.connectionsMost, healthRules.connections)
      : "bad",
    storage: isReady("storage") ? "good" : "bad",
    disk: !isReady("disk")
      ? "bad"
      : storage.free === null || storage.total === null
        ? "unknown"
        : above(-storage.free / storage.total, { watch: -healthRules.free.watch, bad: -healthRules.free.bad }),
    jobs: ofQueues(others),
    mail: ofQueues(letters),
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
    process: above(own.lag.late, healthRules.lag),
  };
  return lightNames.map((name) => ({ name, state: states[name] }));
}

const above = (value: number, { watch, bad }: { watch: number; bad: number }): LightState =>
  value >= bad ? "bad" : value >= watch ? "watch" : "good";

const ofQueues = (queues: Health["queues"]): LightState => {
  const waiting = above(Math.max(0, ...queues.map(({ oldest }) => oldest)), healthRules.waiting);
  return waiting === "good" && queues.some(({ failed }) => failed > 0) ? "watch" : waiting;
};
