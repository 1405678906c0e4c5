import type pg from "pg";
import { runIngestJob } from "../../../../apps/server/src/ingest/run-ingest-job.ts";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import type { Database } from "../../../../apps/server/src/platform/database/database.ts";
import type { FileStore } from "../../../../apps/server/src/platform/storage/file-store.ts";
import { openServices } from "../../../../apps/server/src/platform/runtime/open-services.ts";
import { provideServices } from "../../../../apps/server/src/platform/runtime/services.ts";

export interface IngestWork {
  connection: pg.PoolConfig;
  folder: string;
  iid: string;
  job: string;
  /** The moment of a stage (of all, where none is named) at which it is as if the power had failed. */
  dieAt: { stage: string | null; moment: number } | null;
}

/**
 * Runs one ingest job until it is done or its moment has come: before or after a transaction or a write to the file
 * store. Prints the stage at each moment.
 */
const { connection, folder, iid, job, dieAt } = JSON.parse(process.env.INGEST_WORK ?? "{}") as IngestWork;
const realDatabase = openDatabase(connection, 4);
let momentCount = 0;
async function reachMoment(): Promise<void> {
  const row = await realDatabase.asSystem((db) =>
    db.selectFrom("ingest_job").select("stage").where("id", "=", job).executeTakeFirst(),
  );
  const stage = row?.stage ?? "";
  process.stdout.write(`${stage}\n`);
  if (dieAt && (dieAt.stage === null || dieAt.stage === stage) && momentCount++ === dieAt.moment)
    process.kill(process.pid, "SIGKILL");
}
const atBothMoments = async <T>(work: () => Promise<T>): Promise<T> => {
  await reachMoment();
  const result = await work();
  await reachMoment();
  return result;
};

const config = readConfig({ DATA_DIR: folder, ARCADA_ROLE: "web", LOG_LEVEL: "silent" });
const { files, jobs } = await openServices(config, realDatabase, connection);
const killingStore: FileStore = {
  ...files,
  adopt: (...given) => atBothMoments(() => files.adopt(...given)),
  remove: (...given) => atBothMoments(() => files.remove(...given)),
};
provideServices({ files: killingStore });
const database: Database = {
  ...realDatabase,
  as: (scope, work) => atBothMoments(() => realDatabase.as(scope, work)),
  asSystem: (work) => atBothMoments(() => realDatabase.asSystem(work)),
};
await runIngestJob(database, { iid, job }, new AbortController().signal);
await jobs.stop(1);
await realDatabase.close();
process.exit(0);
