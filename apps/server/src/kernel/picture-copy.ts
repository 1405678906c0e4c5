import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { pictureRules } from "@arcada/contract/kernel/picture.rules";
import { refuse } from "./refuse.ts";
import { workerPool } from "./worker-pool.ts";
import type { Answer, WorkerPool } from "./worker-pool.ts";

/** Longer side of a thumbnail and of a picture that is looked at, pixels. */
export const pictureSides = { small: 320, large: 2400 } as const;

/** Contents of which a picture for the screen is made. */
export const pictureKinds: ReadonlySet<string> = new Set(["jpeg", "png", "gif", "tiff"]);
export const isPicture = (content: string): boolean => pictureKinds.has(content);

export interface PictureTask {
  source: { path: string } | { bytes: Uint8Array };
  /** What the copy fits into, pixels; it is never enlarged but to fill a square. */
  width: number;
  height: number;
  /** Cut to fill that size instead. */
  isFilled?: true;
  /** Papers take JPEG alone. */
  as: "webp" | "jpeg" | "png";
  /** The contents that are read, by their first bytes; without it whatever the decoder knows. */
  kinds?: readonly ("jpeg" | "png" | "webp" | "icon")[];
  /** More than that by the file's own header is refused before a pixel is decoded. */
  pixelsMost?: number;
  /** The copy's pixels are answered too, four bytes each. */
  withPixels?: true;
}
export interface PictureCopy {
  bytes: Uint8Array;
  width: number;
  height: number;
  pixels?: Uint8Array;
}

// Photographs of a phone take half a second; the rest of the time is for hostile ones.
const timeoutMs = 20_000;

let pool: WorkerPool<PictureTask, PictureCopy> | undefined;

/** One picture at a time in this process: what its decoder takes is no JavaScript memory, and cannot be taken back. */
function copied(task: PictureTask, group: string): Promise<Answer<PictureCopy>> {
  pool ??= workerPool(new URL("picture-copy.worker.ts", import.meta.url), 1, {
    maxOldGenerationSizeMb: 256,
    maxExternalMb: 256,
  });
  return pool.run(task, { timeoutMs, group });
}

/** A stored picture without the file's own words, apart from this thread and under limits; null where it cannot be read. */
export async function pictureCopy(task: {
  path: string;
  side: number;
  as: "webp" | "jpeg";
}): Promise<PictureCopy | null> {
  const { path, side, as } = task;
  const answer = await copied({ source: { path }, width: side, height: side, as }, "");
  if (!("refusal" in answer)) return answer.value;
  // A thread that died may have done so for want of time or memory: the job tries again.
  if (answer.died) throw new Error("no picture was made");
  return null;
}

const waiting = new Map<string, number>();
let waitingOfAll = 0;

/**
 * A picture that somebody waits for, drawn anew while the request goes on. People take turns; one person's pictures
 * come one after another. Refuses pictureTooLarge, pictureBusy, or `unreadable`; `field` is the form's.
 */
export async function redrawn(
  person: string,
  task: PictureTask,
  { unreadable, field }: { unreadable: RefusalName; field?: string },
): Promise<PictureCopy> {
  const no = (refusal: RefusalName): never =>
    refuse(refusal, { ...(field && { [field]: refusal }), megapixels: pictureRules.megapixels });
  const before = waiting.get(person) ?? 0;
  if (before >= pictureRules.waitingOfOne || waitingOfAll >= pictureRules.waitingOfAll) no("pictureBusy");
  waiting.set(person, before + 1);
  waitingOfAll += 1;
  try {
    const answer = await copied({ ...task, pixelsMost: pictureRules.megapixels * 1_000_000 }, person);
    if ("value" in answer) return answer.value;
    return no(answer.refusal === "pictureTooLarge" ? "pictureTooLarge" : unreadable);
  } finally {
    const left = waiting.get(person)! - 1;
    if (left > 0) waiting.set(person, left);
    else waiting.delete(person);
    waitingOfAll -= 1;
  }
}
