import type { PictureInfo } from "../tables/study.ts";
import { workerPool } from "../kernel/worker-pool.ts";
import type { WorkerPool } from "../kernel/worker-pool.ts";

export interface CutTask {
  /** Of the converted picture. */
  path: string;
  picture: PictureInfo;
  /** In the picture's own pixels; null: all of it. */
  box: { left: number; top: number; right: number; bottom: number } | null;
  /** Quarters clockwise. */
  turns: number;
  /** What the cut is fitted into when it is turned, pixels. */
  fit: { width: number; height: number };
}
export interface Cut {
  jpeg: Uint8Array;
  width: number;
  height: number;
}

const timeoutMs = 20_000;
let pool: WorkerPool<CutTask, Cut> | undefined;

/** A piece of a picture as a JPEG, apart from this thread; null where the picture cannot be read. */
export async function cutPicture(task: CutTask): Promise<Cut | null> {
  pool ??= workerPool(new URL("cut-picture.worker.ts", import.meta.url), 1, { maxOldGenerationSizeMb: 512 });
  const answer = await pool.run(task, { timeoutMs });
  return "refusal" in answer ? null : answer.value;
}
