import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Database, Db } from "../platform/database/database.ts";
import { publish } from "../platform/events/events.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { Refused } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { withImportArchive } from "./archive-reader.ts";
import { writeArchive } from "./archive-writer.ts";
import { checkArchive } from "./import-check.ts";
import { importArchive } from "./import-archive.ts";
import { findImport, updateImport } from "./data-export.store.ts";
import { findExport, updateExport } from "./export-job.writes.ts";
import { purgeExpiredTransfers } from "./data-export.purge.ts";
import { exportEnded } from "./data-export.events.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const exportQueue = defineQueue<ExportJobKey>("leaving.export");
const importQueue = defineQueue<ImportJobKey>("leaving.import");
const purgeQueue = defineQueue("leaving.purge");

interface ExportJobKey {
  iid: string;
  id: string;
}
interface ImportJobKey {
  id: string;
  step: "check" | "import";
}

export async function registerDataExport(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(exportQueue, (key, signal) => runExport(database, key, signal), {
    onDeadLetter: (key) => failExport(database, key, "internal"),
  });
  await jobs.work(importQueue, (key, signal) => runImport(database, key, signal), {
    onDeadLetter: ({ id }) => failImport(database, id, "internal"),
  });
  await jobs.work(purgeQueue, () => purgeExpiredTransfers(database));
  await jobs.schedule(purgeQueue, "41 * * * *");
}

/** The person cancelled it, or the process stops. */
class JobStopped extends Error {}

/** Reports progress, at most once a second, and checks whether the job is still wanted. */
function throttleProgress(
  signal: AbortSignal,
  reportProgress: (progress: number) => Promise<boolean>,
): (progress: number) => Promise<void> {
  let next = 0;
  return async (progress) => {
    signal.throwIfAborted();
    if (Date.now() < next) return;
    next = Date.now() + 1000;
    if (!(await reportProgress(progress))) throw new JobStopped();
  };
}

async function runExport(database: Database, key: ExportJobKey, signal: AbortSignal): Promise<void> {
  const { iid, id } = key;
  const running = ["waiting", "running"] as const;
  const exportJob = await database.asSystem(async (db) =>
    (await updateExport(db, key, running, { state: "running", progress: 0 })) ? findExport(db, iid, id) : undefined,
  );
  if (!exportJob) return;
  const onProgress = throttleProgress(signal, (progress) =>
    database.asSystem((db) => updateExport(db, key, ["running"], { progress })),
  );
  try {
    const archive = await writeArchive(
      { database, files: files(), iid, language: exportJob.language, onProgress },
      (stream) => files().put("converted", iid, stream),
    );
    const kept = await database.asSystem(async (db) => {
      if (!(await updateExport(db, key, ["running"], { state: "done", progress: 1, ...archive }))) return false;
      await notifyRequester(db, exportJob.created_by, iid, null);
      return true;
    });
    if (!kept) await files().remove("converted", iid, archive.sha256);
  } catch (error) {
    if (error instanceof JobStopped) return;
    if (!(error instanceof Refused)) throw error;
    await failExport(database, key, error.refusal);
  }
}

const failExport = (database: Database, key: ExportJobKey, refusal: RefusalName) =>
  database.asSystem(async (db) => {
    const exportJob = await findExport(db, key.iid, key.id);
    if (!exportJob || !(await updateExport(db, key, ["waiting", "running"], { state: "failed", refusal }))) return;
    await notifyRequester(db, exportJob.created_by, key.iid, refusal);
  });

async function notifyRequester(db: Db, user: string, iid: string, refusal: RefusalName | null): Promise<void> {
  const { name } = await db.selectFrom("institution").select("name").where("id", "=", iid).executeTakeFirstOrThrow();
  await publish(db, exportEnded, { user, institution: name, isReady: refusal === null });
}

async function runImport(database: Database, { id, step: asked }: ImportJobKey, signal: AbortSignal): Promise<void> {
  const runningState = asked === "check" ? "checking" : "importing";
  const importJob = await database.asSystem((db) => findImport(db, id));
  if (importJob?.state !== runningState || !importJob.sha256) return;
  const onProgress = throttleProgress(signal, (progress) =>
    database.asSystem((db) => updateImport(db, id, [runningState], { progress })),
  );
  try {
    await files().local("converted", id, importJob.sha256, (path) =>
      withImportArchive(path, async (archive) => {
        if (asked === "check") {
          const found = await checkArchive(database, archive, onProgress);
          await database.asSystem((db) => updateImport(db, id, ["checking"], { state: "checked", progress: 1, found }));
          return;
        }
        await importArchive({ database, files: files(), archive, by: importJob.created_by, onProgress });
        await database.asSystem((db) => updateImport(db, id, ["importing"], { state: "done", progress: 1 }));
      }),
    );
  } catch (error) {
    if (error instanceof JobStopped) return;
    if (!(error instanceof Refused)) throw error;
    await failImport(database, id, error.refusal);
  }
  if (asked === "import") await files().remove("converted", id, importJob.sha256);
}

/** Marks an import as failed and removes its archive, which is of no further use. */
async function failImport(database: Database, id: string, refusal: RefusalName): Promise<void> {
  const importJob = await database.asSystem(async (db) => {
    await updateImport(db, id, ["checking", "importing"], { state: "failed", refusal });
    return findImport(db, id);
  });
  if (importJob?.sha256) await files().remove("converted", id, importJob.sha256);
}

/** Puts a job into the queue of an arrival that was moved to that step. */
export const enqueueImport = (jobs: Jobs, db: Db, key: ImportJobKey) => jobs.send(db, importQueue, key);
export const enqueueExport = (jobs: Jobs, db: Db, key: ExportJobKey) =>
  jobs.send(db, exportQueue, key, { group: key.iid });
