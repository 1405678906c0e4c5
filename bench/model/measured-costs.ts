import type { WorkKind } from "./clinic-day.ts";

/** The costs of one piece of work. Processor times are in ms, sizes in bytes. */
export interface WorkCost {
  server: number;
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
 * Commits and bytes are those of `npm run bench -- costs` (share 0.4) on 2026-11-29, on two cores of an AMD EPYC,
 * virtual. The machine was busy with other work (load 17 to 21), which made short calls six to ten times dearer than
 * they are on a quiet one. The sources of the processor times are therefore:
 *
 * - calls: the figure of a quieter run where `bench/README.md` has one, as the comment says; else what was measured here
 *   times 0.15. The ratio of the two is 0.16 for the list of patients, 0.13 for the list of orders and 0.09 for a step;
 * - films, scans and CBCTs that are opened: as measured here, which is an upper bound;
 * - CBCTs that arrive: the difference that one makes in the load test of `docs/operator/sizing.md`; measured here 10.8 and 1.5 s.
 *
 * The stored bytes are estimates from the sizes of the files (`docs/operator/sizing.md`, "Disk"), because the samples
 * repeat and equal content is stored once.
 */
export const workCosts: Record<WorkKind, WorkCost> = {
  // The cost of a password's hash on the busy machine, scaled like the other calls.
  signIn: cost({ server: 60, database: 3.3, commits: 4.4, wal: 48, rows: 4.1, received: 0.1 }),
  smallCall: cost({ server: 0.3, database: 0.05, commits: 1, wal: 1.1, rows: 0.1, received: 0.1 }),
  // Rows "patient list, no endpoint for traces" and decision 10.
  patientList: cost({ server: 0.62, database: 0.43, commits: 1, wal: 2.4, rows: 0.75, received: 5.3 }),
  patientSearch: cost({ server: 0.71, database: 0.76, commits: 1.2, wal: 2.8, rows: 1.1, received: 3.1 }),
  patientDetail: cost({ server: 1.4, database: 0.71, commits: 1.1, wal: 3.7, rows: 1.1, received: 0.6 }),
  patientCreate: cost({ server: 2.2, database: 1.4, commits: 2.3, wal: 44, rows: 4.1, received: 0.6 }),
  // Row "1,000,000 orders, first page": 2.3 ms, divided as on the busy machine.
  orderList: cost({ server: 1.2, database: 1.1, commits: 2.2, wal: 3.9, rows: 0.8, received: 16.5 }),
  orderDetail: cost({ server: 0.94, database: 1, commits: 1.4, wal: 3.5, rows: 0.8, received: 2 }),
  // Half of 31 ms, the time of "the day of the clinic" (0114) with 100,000 orders before its statements were joined (0121).
  dayPage: cost({ server: 2.2, database: 15, commits: 3.3, wal: 10.6, rows: 2, received: 20.5 }),
  // Decision 62: 2.1 and 3.3 ms; and the order that is read before. E-mails are sent as jobs.
  orderStep: cost({ server: 3, database: 4.3, commits: 11.2, wal: 20.9, rows: 6.6, received: 2.2 }),
  filmUpload: cost({
    server: 742,
    database: 217,
    commits: 102,
    wal: 222,
    rows: 28,
    files: 20_000,
    objects: 3,
    sent: 5761,
  }),
  scanUpload: cost({
    server: 1062,
    database: 325,
    commits: 113,
    wal: 513,
    rows: 28,
    files: 6487,
    objects: 3,
    sent: 3243,
  }),
  cbctUpload: cost({
    server: 8600,
    database: 1000,
    commits: 621,
    wal: 3240,
    rows: 1249,
    files: 138_000,
    objects: 345,
    sent: 57_700,
  }),
  cbctOpen: cost({ server: 147, database: 19, commits: 19, wal: 107, rows: 0.6, received: 39_700 }),
  // Row "arcada.teeth on a film", in WebAssembly. What the job writes is taken as that of an order's step.
  analysis: cost({ server: 3600, database: 4.3, commits: 11.2, wal: 20.9, rows: 6.6 }),
};

/**
 * The processor time (ms) of receiving a megabyte: `bench/README.md`, row "upload of one 200 MB file", 101.7 MB in a
 * second, taken as a whole core's.
 */
export const receiveMsPerMegabyte = 1000 / 101.7;

/** Choices and guesses, none of them measured. Bytes and cores. */
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
  /** Processor time (ms) of each second in which nobody asks for anything. */
  idleServer: 15,
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
