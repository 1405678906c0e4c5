import { workerPool } from "../kernel/worker-pool.ts";
import type { WorkerPool } from "../kernel/worker-pool.ts";
import type { PictureInfo } from "../tables/study.ts";

export interface FilmTask {
  /** Of the converted picture. */
  path: string;
  picture: PictureInfo;
  /** Of the longer side, pixels. */
  side: number;
  /** Quarters clockwise. */
  turns: number;
}
export interface FilmPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

const timeoutMs = 20_000;
let pool: WorkerPool<FilmTask, FilmPicture> | undefined;

/** A film as viewers open it, as a JPEG, apart from this thread; null where it cannot be read. */
export async function filmPicture(task: FilmTask): Promise<FilmPicture | null> {
  pool ??= workerPool(new URL("film-picture.worker.ts", import.meta.url), 1, { maxOldGenerationSizeMb: 512 });
  const answer = await pool.run(task, { timeoutMs });
  return "refusal" in answer ? null : answer.value;
}
