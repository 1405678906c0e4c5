import type { WorkKind } from "./clinic-day.ts";

/** The costs of one piece of work. Processor times are in ms, sizes in bytes. */
export interface WorkCost {
  server: number;
  /** The part of it in a thread that holds up no call. */
  thread: number;
  database: number;
  /** Transactions that the database commits. */
  commits: number;
  /** Bytes of the write-ahead log, by which the database's standby and archive grow. */
  wal: number;
  /** Bytes by which the tables and indexes grow. */
  rows: number;
  /** Bytes and number of stored files: the original, and what the viewers read. */
  files: number;
  objects: number;
  /** Bytes from and to browsers, without compression. */
  sent: number;
  received: number;
}

/** Sizes are given in kB here. */
function cost({ server, database, ...given }: Partial<WorkCost> & Pick<WorkCost, "server" | "database">): WorkCost {
  const kilobytes = (value = 0): number => value * 1000;
  return {
    server,
    thread: given.thread ?? 0,
    database,
    commits: given.commits ?? 0,
    wal: kilobytes(given.wal),
    rows: kilobytes(given.rows),
    files: kilobytes(given.files),
    objects: given.objects ?? 0,
    sent: kilobytes(given.sent),
    received: kilobytes(given.received),
  };
}

/**
 * Measured by `npm run bench -- costs` (share 1) on 2026-11-30, on two quiet cores of an AMD EPYC, virtual (load 0.5 to
 * 1.9). One piece of work follows the other, so that the processor's caches are colder than under load: a page of the
 * patient list takes 1.7 ms of all processes with twenty at once, and 3.5 ms here. Another run of the same day
 * has 0.5 to 1.8 times these figures, and 2.2 times the database's part of a sign-in (`last-figures.md`).
 *
 * The stored bytes are estimates from the sizes of the files (`docs/operator/sizing.md`, "Disk"), because the samples
 * repeat and equal content is stored once.
 */
export const workCosts: Record<WorkKind, WorkCost> = {
  // A password's hash takes 285 ms (the least of twelve 276).
  signIn: cost({ server: 335, thread: 285, database: 9.19, commits: 3.78, wal: 11.9, rows: 2.73, received: 0.055 }),
  smallCall: cost({ server: 1.23, database: 0.495, commits: 0.58, wal: 0.225, received: 0.14 }),
  patientList: cost({ server: 2.14, database: 1.34, commits: 0.786, wal: 2.08, rows: 0.983, received: 5.31 }),
  patientSearch: cost({ server: 3.15, database: 3.16, commits: 1.31, wal: 2.03, rows: 0.983, received: 3.08 }),
  patientDetail: cost({ server: 3.24, database: 2.95, commits: 0.963, wal: 2.97, rows: 1.31, received: 0.604 }),
  patientCreate: cost({ server: 4.24, database: 5.38, commits: 1.81, wal: 44, rows: 2.68, received: 0.626 }),
  orderList: cost({ server: 3.24, database: 2.8, commits: 1.01, wal: 1.97, rows: 0.532, received: 16.5 }),
  orderDetail: cost({ server: 4.13, database: 4.67, commits: 1.03, wal: 2.79, rows: 0.983, received: 2 }),
  dayPage: cost({ server: 7.31, database: 14.8, commits: 1.23, wal: 2.86, rows: 0.273, received: 20.6 }),
  orderStep: cost({ server: 17.8, database: 17.1, commits: 9.48, wal: 13.2, rows: 5.08, received: 2.15 }),
  filmUpload: cost({
    server: 491,
    database: 126,
    commits: 99.8,
    wal: 153,
    rows: 30.7,
    files: 20000,
    objects: 3,
    sent: 5760,
  }),
  scanUpload: cost({
    server: 524,
    database: 89.2,
    commits: 86.6,
    wal: 150,
    rows: 28,
    files: 6487,
    objects: 3,
    sent: 3240,
  }),
  cbctUpload: cost({
    server: 8570,
    database: 475,
    commits: 297,
    wal: 1670,
    rows: 1200,
    files: 138000,
    objects: 345,
    sent: 57800,
  }),
  cbctOpen: cost({ server: 234, database: 28.9, commits: 21.2, wal: 25.6, received: 39700 }),
  // Row "arcada.teeth on a film", in WebAssembly. What the job writes is taken as that of an order's step.
  analysis: cost({ server: 3600, database: 17.1, commits: 9.48, wal: 13.2, rows: 5.08 }),
};

/**
 * The processor time (ms) of receiving a megabyte: 101.7 MB in a second, measured on 2026-11-29 and taken as a whole
 * core's. It is an upper bound: `last-figures.md`, row "upload of one 200 MB file", has more since decision 175.
 */
export const receiveMsPerMegabyte = 1000 / 101.7;

/** Choices and guesses; only `besideOthers` comes from a load test. Bytes and cores. */
export const assumptions = {
  /** No part is busier than this in the busiest hour. */
  busiest: 0.6,
  /** And no more than this while one machine of its kind is missing. */
  busiestInFailure: 0.85,
  /** Larger installations are divided into several machines. */
  oneMachineCores: 8,
  /** Files beyond this belong into a bucket, and a bucket comes with several machines. */
  oneMachineBytes: 20e12,
  workerCores: 4,
  /**
   * A piece of work takes so many times the processor time beside others that it takes alone: 1.7 on the server and 1.4 in
   * the database in the load test of a day (`sizing-tables.ts`).
   */
  besideOthers: 1.6,
  /** Processor time (ms) of each second in which nobody asks for anything. */
  idleServer: 18,
  idleDatabase: 15,
  /** A thousand event streams: ms of each second for what keeps them alive, and bytes of memory. */
  serverForThousandStreams: 5,
  memoryForThousandStreams: 25e6,
  /** The server's ms for one event at one stream. */
  serverForEvent: 0.05,
  /** `DATABASE_POOL` and what events, jobs and locks of uploads take in addition. */
  connectionsOfProcess: 17,
  webMemory: 0.5e9,
  /** Three imports at once of 0.45 GB each, and an engine of 0.52 GB (`bench/README.md`). */
  workerMemory: 2.1e9,
  databaseMemory: 1e9,
  /** The share of a year's growth that memory should hold: about two days, since nobody reads most of the audit log. */
  hotShare: 0.005,
  /** A database of its own also vacuums, checks and sends its log to the standby. */
  leastDatabaseCores: 4,
  /** Seconds until a network disk has flushed a write. The machine of the measurements needed 0.0001. */
  flush: 0.002,
} as const;
