import type { Glb } from "@arcada/imaging/mesh/write-glb";
import { coarseCopyQueue, type CoarseCopyJob } from "../../domain/coarse-copy-queue.ts";
import { saveCoarseCopyForOrders } from "../../order/order-file-copies.writes.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { files } from "../../platform/runtime/services.ts";
import { workerPool, type WorkerPool } from "../../platform/runtime/worker-pool.ts";
import { lockStore, markUnneeded } from "../../platform/storage/blob-references.ts";
import { saveCoarseCopy } from "../../study/conversion.writes.ts";

/** One scan at a time in each process: nobody waits for a coarse copy. Organisations take turns in the queue. */
export const registerCoarseCopyJob = (jobs: Jobs, database: Database): Promise<void> =>
  jobs.work(coarseCopyQueue, (job, signal, { attempt }) => storeCoarseCopy(database, job, signal, attempt === 1));

async function storeCoarseCopy(
  database: Database,
  job: CoarseCopyJob,
  signal: AbortSignal,
  isFirstAttempt: boolean,
): Promise<void> {
  const { iid, glb, scan } = job;
  const inputBytes = await files().bytes("converted", iid, glb);
  if (inputBytes === null) return;
  const made = await files().local("converted", iid, glb, (path) =>
    makeCoarseCopy(path, inputBytes, { signal, isFirstAttempt }),
  );
  if (!made) return;
  const { sha256, bytes } = await files().put("converted", iid, made.bytes);
  const coarse = { sha256, bytes, error: made.error };
  await database.asSystem(async (db) => {
    await lockStore(db, iid, "shared");
    if ((await files().bytes("converted", iid, sha256)) === null)
      throw new Error("a coarse copy was deleted with an earlier one of the same content");
    const isSaved =
      "original" in scan
        ? await saveCoarseCopyForOrders(db, { iid, original: scan.original, glb }, coarse)
        : await saveCoarseCopy(db, { institution_id: iid, study_id: scan.study, id: scan.instance, glb }, coarse);
    if (!isSaved) await markUnneeded(db, iid, [{ area: "converted", sha256 }]);
  });
}

const megabytes = 2048;
/** A coarse copy of 5 million triangles takes 16 s of processor time. */
const timeoutMs = 120_000;

let pool: WorkerPool<string, Glb | null> | undefined;

/**
 * Makes the coarse copy of a streaming copy in a thread of its own; null if it cannot be simplified enough within the
 * limits of time and memory. Rejects if the file cannot be read at present, if `signal` is aborted, and if the thread
 * ends in the first attempt.
 * @param path of the streaming copy
 * @param inputBytes its size
 */
export async function makeCoarseCopy(
  path: string,
  inputBytes: number,
  { signal, isFirstAttempt = false }: { signal?: AbortSignal; isFirstAttempt?: boolean } = {},
): Promise<Glb | null> {
  pool ??= workerPool(new URL("./coarse-copy.worker.ts", import.meta.url), 1, {
    maxOldGenerationSizeMb: megabytes,
    maxExternalMb: megabytes,
  });
  const options = { timeoutMs, isLarge: true, inputBytes, ...(signal && { signal }) } as const;
  const result = await pool.run(path, options);
  if (!("refusal" in result)) return result.value;
  // The system may have ended the thread, so it is tried once more.
  if (result.died && isFirstAttempt) throw new Error("the thread of a coarse copy ended");
  return null;
}
