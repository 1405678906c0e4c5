import { assumptions, receiveMsPerMegabyte, workCosts } from "./measured-costs.ts";
import type { WorkCost } from "./measured-costs.ts";
import { workKinds } from "./clinic-day.ts";
import type { ClinicDay, WorkKind } from "./clinic-day.ts";
import { addTimes, erlangC, percentile95, sojournTime, waitingTime } from "./queueing.ts";
import type { Station, Time } from "./queueing.ts";

/** The demand of clinics in the busiest hour. Loads are in processor cores. */
export interface Demand {
  /** Calls of browsers in a second, without files and event streams. */
  calls: number;
  web: number;
  worker: number;
  database: number;
  commits: number;
  streams: number;
  /** Bytes in a second that leave and reach the web processes. */
  outgoing: number;
  incoming: number;
}

/** The growth in a year, in bytes; the log is what a standby or an archive receives, before compression. */
export interface Growth {
  database: number;
  files: number;
  objects: number;
  log: number;
}

export interface Plan {
  clinics: number;
  demand: Demand;
  /** One machine does everything as long as its cores suffice. */
  isOneMachine: boolean;
  /** Cores of the one machine, or of the database. */
  cores: number;
  webProcesses: number;
  /** Worker processes, each with the cores of `assumptions.workerCores`. */
  workers: number;
  /** Gigabytes of one web process, one worker and the database, or of the one machine. */
  memory: { web: number; worker: number; database: number; machine: number };
  connections: number;
  /** Seconds: the 95th percentile of a call, and of a CBCT from its last byte until it is converted. */
  callTime: number;
  cbctTime: number;
  growth: Growth;
}

const gigabyte = 1e9;

/** The processor time (ms) of a piece of work beside others. */
const costOf = (kind: WorkKind): Pick<WorkCost, "server" | "thread" | "database"> => {
  const { server, thread, database } = workCosts[kind];
  const times = assumptions.besideOthers;
  return { server: server * times, thread: thread * times, database: database * times };
};
const isJob = (kind: WorkKind): boolean =>
  kind === "filmUpload" || kind === "scanUpload" || kind === "cbctUpload" || kind === "analysis";
const isCall = (kind: WorkKind): boolean => !isJob(kind) && kind !== "cbctOpen";
const receiving = (kind: WorkKind): number => (workCosts[kind].sent / 1e6) * receiveMsPerMegabyte;
/** The part of a kind's processor time that only receives its upload. The rest of it is work of a worker. */
const webMs = (kind: WorkKind): number =>
  isJob(kind) ? Math.min(costOf(kind).server, receiving(kind)) : costOf(kind).server;
const workerMs = (kind: WorkKind): number => costOf(kind).server - webMs(kind);

/** Pieces of work in a second in the busiest hour. */
const rate = (day: ClinicDay, clinics: number, kind: WorkKind): number =>
  (clinics * day.work[kind] * day.peakShare) / 3600;

const sumOf = (pick: (kind: WorkKind) => number): number => workKinds.reduce((sum, kind) => sum + pick(kind), 0);

export function demandOf(day: ClinicDay, clinics: number): Demand {
  const perSecond = (pick: (kind: WorkKind) => number) => sumOf((kind) => rate(day, clinics, kind) * pick(kind));
  const streams = clinics * day.people;
  const idleStreams = (streams / 1000) * assumptions.serverForThousandStreams;
  // Each step of an order reaches all streams of the clinic, and those of the laboratory, which has as many.
  const heard = rate(day, clinics, "orderStep") * 2 * day.people * assumptions.serverForEvent;
  return {
    calls: perSecond((kind) => (isCall(kind) ? 1 : 0)),
    web: (perSecond(webMs) + idleStreams + heard) / 1000,
    worker: perSecond(workerMs) / 1000,
    database: (perSecond((kind) => costOf(kind).database) + assumptions.idleDatabase) / 1000,
    commits: perSecond((kind) => workCosts[kind].commits),
    streams,
    outgoing: perSecond((kind) => workCosts[kind].received),
    incoming: perSecond((kind) => workCosts[kind].sent),
  };
}

export function growthOf(day: ClinicDay, clinics: number): Growth {
  const inYear = (pick: (kind: WorkKind) => number) =>
    clinics * day.workingDays * sumOf((kind) => day.work[kind] * pick(kind));
  return {
    database: inYear((kind) => workCosts[kind].rows),
    files: inYear((kind) => workCosts[kind].files),
    objects: inYear((kind) => workCosts[kind].objects),
    log: inYear((kind) => workCosts[kind].wal),
  };
}

/**
 * Chooses the machines for a number of clinics in the busiest hour: no part is busier than
 * `assumptions.busiest`, and with several machines each part still works after one of it has failed.
 */
export function planMachines(day: ClinicDay, clinics: number): Plan {
  const demand = demandOf(day, clinics);
  const growth = growthOf(day, clinics);
  const whole = demand.web + demand.worker + demand.database + assumptions.idleServer / 1000;
  const isOneMachine =
    whole <= assumptions.busiest * assumptions.oneMachineCores &&
    demand.web <= assumptions.busiest &&
    growth.files <= assumptions.oneMachineBytes;
  const webProcesses = isOneMachine ? 1 : withSpare(demand.web, 1);
  const workers = isOneMachine ? 1 : withSpare(demand.worker, assumptions.workerCores);
  const cores = isOneMachine
    ? roundUpToSize(whole / assumptions.busiest)
    : Math.max(assumptions.leastDatabaseCores, roundUpToSize(demand.database / assumptions.busiest));
  const machines = { demand, isOneMachine, cores, webProcesses, workers, whole };
  return {
    clinics,
    demand,
    isOneMachine,
    cores,
    webProcesses,
    workers,
    memory: memoryOf({ streams: demand.streams / webProcesses, growth }),
    connections: (isOneMachine ? 1 : webProcesses + workers) * assumptions.connectionsOfProcess,
    callTime: percentile95(timeOfCall(day, machines)),
    cbctTime: percentile95(timeOfCbct(day, machines)),
    growth,
  };
}

/** Returns how many equal machines carry a load, of which any one may fail. */
const withSpare = (load: number, cores: number): number =>
  Math.max(
    2,
    Math.ceil(load / (cores * assumptions.busiest)),
    Math.ceil(load / (cores * assumptions.busiestInFailure)) + 1,
  );

/** Machines come with 2, 4, 8, 16 … cores. */
const roundUpToSize = (cores: number): number => 2 ** Math.max(1, Math.ceil(Math.log2(Math.max(1, cores))));

function memoryOf({ streams, growth }: { streams: number; growth: Growth }): Plan["memory"] {
  const web = assumptions.webMemory + (streams / 1000) * assumptions.memoryForThousandStreams;
  const worker = assumptions.workerMemory;
  const database = assumptions.databaseMemory + assumptions.hotShare * growth.database;
  const round = (bytes: number) => roundUpToSize(bytes / gigabyte);
  return { web: round(web), worker: round(worker), database: round(database), machine: round(web + worker + database) };
}

type Machines = Pick<Plan, "demand" | "isOneMachine" | "cores" | "webProcesses" | "workers"> & { whole: number };

/**
 * A call passes the event loop of one web process, the database and, if it writes, the disk. The balancer knows nothing
 * of queues, so each process has its own (M/G/1). On one machine everything shares the cores, and each piece of work is
 * slower by the others'.
 */
function timeOfCall(day: ClinicDay, { demand, isOneMachine, cores, webProcesses, whole }: Machines): Time {
  const slower = isOneMachine ? slowdown(cores, whole) : 1;
  const calls = workKinds.filter(isCall);
  const loop = mixOf(day, calls, (kind) => ((webMs(kind) - costOf(kind).thread) / 1000) * slower);
  const statements = mixOf(day, calls, (kind) => (costOf(kind).database / 1000) * slower);
  const loopStation = { ...loop, arrivals: arrivalsOf(demand.web * slower, loop.service) / webProcesses, servers: 1 };
  const databaseStation = { ...statements, arrivals: arrivalsOf(demand.database, statements.service), servers: cores };
  return addTimes([
    sojournTime(loopStation),
    sojournTime(isOneMachine ? { ...databaseStation, arrivals: 0 } : databaseStation),
    commitTime,
  ]);
}

/**
 * PostgreSQL flushes the commits that have gathered together: a commit waits for the flush under way, at any moment of
 * it, and then for its own, however many there are.
 */
const commitTime: Time = { mean: 1.5 * assumptions.flush, variance: assumptions.flush ** 2 / 12 };

/**
 * A CBCT waits for a worker behind other jobs, and then takes its own processor time, as if one core did all of it. On
 * one machine a core stays free for requests.
 */
function timeOfCbct(day: ClinicDay, { demand, isOneMachine, cores, workers, whole }: Machines): Time {
  const own = (workerMs("cbctUpload") + costOf("cbctUpload").database) / 1000;
  const slower = isOneMachine ? slowdown(cores, whole) : 1;
  const jobs = mixOf(day, workKinds.filter(isJob), (kind) => workerMs(kind) / 1000);
  const servers = isOneMachine ? Math.max(1, cores - 1) : workers * assumptions.workerCores;
  const wait = waitingTime({ ...jobs, arrivals: arrivalsOf(demand.worker, jobs.service), servers });
  return addTimes([wait, { mean: own * slower, variance: 0 }]);
}

/** The arrivals at which services of this mean cause this load. */
const arrivalsOf = (load: number, service: number): number => (service > 0 ? load / service : 0);

/** Processor sharing: how many times longer work takes on these cores at this load (M/M/c). */
export const slowdown = (cores: number, load: number): number =>
  load >= cores ? Number.POSITIVE_INFINITY : 1 + erlangC(cores, load) / (cores - load);

/** The service times (s) of a day's work of these kinds, each of which is taken as exponential. */
function mixOf(
  { work }: ClinicDay,
  kinds: readonly WorkKind[],
  seconds: (kind: WorkKind) => number,
): Pick<Station, "service" | "variation"> {
  const count = kinds.reduce((sum, kind) => sum + work[kind], 0);
  const moment = (power: number) => kinds.reduce((sum, kind) => sum + (work[kind] / count) * seconds(kind) ** power, 0);
  const service = count > 0 ? moment(1) : 0;
  return { service, variation: service > 0 ? (2 * moment(2)) / service ** 2 - 1 : 0 };
}
