import { workerPool } from "./worker-pool.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** Longer side of a thumbnail and of a picture that is looked at, pixels. */
export const pictureSides = { small: 320, large: 2400 } as const;

/** Contents of which a picture for the screen is made. */
export const pictureKinds: ReadonlySet<string> = new Set(["jpeg", "png", "gif", "tiff"]);
export const isPicture = (content: string): boolean => pictureKinds.has(content);

export interface PictureTask {
  path: string;
  side: number;
  /** Papers take JPEG alone. */
  as: "webp" | "jpeg";
}
export interface PictureCopy {
  bytes: Uint8Array;
  width: number;
  height: number;
}

// Photographs of a phone take half a second; the rest of the time is for hostile ones.
const timeoutMs = 20_000;

let pool: WorkerPool<PictureTask, PictureCopy> | undefined;

/** A picture without the file's own words, apart from this thread and under limits; null where the picture cannot be read. */
export async function pictureCopy(task: PictureTask): Promise<PictureCopy | null> {
  pool ??= workerPool(new URL("picture-copy.worker.ts", import.meta.url), 1, { maxOldGenerationSizeMb: 256 });
  const answer = await pool.run(task, { timeoutMs });
  if (!("refusal" in answer)) return answer.value;
  // A thread that died may have done so for want of time or memory: the job tries again.
  if (answer.died) throw new Error("no picture was made");
  return null;
}
