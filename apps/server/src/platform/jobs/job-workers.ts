import type { Job, PgBoss, WipData } from "pg-boss";
import { jobSeconds } from "../telemetry/counters-and-histograms.ts";
import { withSpan } from "../telemetry/tracing.ts";

/** A worker is woken when a job of its queue is due; it looks for itself only in case that was missed. */
const ownPollSeconds = 60;

/** See `WorkOptions` of the jobs. */
interface TeamOptions {
  teamSize?: number;
  ofOneGroup?: number;
}

/** Starts the workers of a queue. Each goes on with the next job as soon as it has done one. */
export async function startTeam<J extends Job<never>>(
  boss: PgBoss,
  name: string,
  { teamSize = 1, ofOneGroup }: TeamOptions,
  onError: (error: unknown, about: string) => void,
  run: (job: J) => Promise<unknown>,
): Promise<void> {
  const options = {
    localConcurrency: teamSize,
    ...(ofOneGroup !== undefined && { localGroupConcurrency: ofOneGroup }),
    includeMetadata: true,
    pollingIntervalSeconds: ownPollSeconds,
    notifyPollingIntervalSeconds: ownPollSeconds,
  };
  await boss.work<never>(name, options, async ([job]) => {
    // One notification may announce several jobs.
    wakeIdleWorker(boss, name);
    try {
      await observeJob(name, job as unknown as J, run);
    } catch (error) {
      onError(error, `job ${name}`);
      throw error;
    } finally {
      // There may be more waiting jobs. Workers without one have found none, unless it belongs to a group at its limit.
      wakeWorkers(boss, name, (worker) => worker.count > 0 || ofOneGroup !== undefined);
    }
  });
}

/** Makes the workers of a queue in this process look for jobs at once, or after the job that they do. */
export function wakeWorkers(boss: PgBoss, queue: string, isMeant: (worker: WipData) => boolean = () => true): void {
  for (const worker of boss.getWipData()) if (worker.name === queue && isMeant(worker)) boss.notifyWorker(worker.id);
}

/**
 * Lets a notification of a new job wake one worker that has none, which wakes the next one if it finds a job. pg-boss
 * wakes the whole team: each job of a team of four would be looked for four times. If no worker is idle, each of them
 * looks for the next job after its own. Call it before pg-boss starts.
 */
export function wakeOneWorkerOfAQueue(boss: PgBoss): void {
  const database = boss.getDb();
  const listen = database.listen?.bind(database);
  if (listen)
    database.listen = (channel, _wakeTeam, onReconnect) =>
      listen(channel, (queue) => wakeIdleWorker(boss, queue), onReconnect);
}

/** A worker that is looking at the moment counts as idle, and looks once more. */
function wakeIdleWorker(boss: PgBoss, queue: string): void {
  const idle = boss.getWipData().find(({ name, count }) => name === queue && count === 0);
  if (idle) boss.notifyWorker(idle.id);
}

async function observeJob<J extends Job<never>>(
  queue: string,
  job: J,
  run: (job: J) => Promise<unknown>,
): Promise<void> {
  const { traceparent, ...data } = (job.data ?? {}) as { traceparent?: string };
  const end = jobSeconds.startTimer({ queue });
  try {
    await withSpan(
      `job ${queue}`,
      { kind: "consumer", attributes: { "arcada.job": job.id }, parent: traceparent },
      () => run(traceparent === undefined ? job : { ...job, data: data as never }),
    );
    end({ outcome: "done" });
  } catch (error) {
    end({ outcome: "failed" });
    throw error;
  }
}
