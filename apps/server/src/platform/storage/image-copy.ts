import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { imageRules } from "@arcada/contract/kernel/image-upload.rules";
import { refuse } from "../http/refuse.ts";
import { workerPool } from "../runtime/worker-pool.ts";
import type { TaskResult, WorkerPool } from "../runtime/worker-pool.ts";

/** The longer side of a thumbnail and of an image for viewing, in pixels. */
export const imageSides = { small: 320, large: 2400 } as const;

/** The file formats from which an image for the screen is made. */
export const imageKinds: ReadonlySet<string> = new Set(["jpeg", "png", "gif", "tiff"]);
export const isImage = (content: string): boolean => imageKinds.has(content);

export interface ImageTask {
  source: { path: string } | { bytes: Uint8Array };
  /** The size into which the copy fits, in pixels. A copy is enlarged only if it must fill the size. */
  width: number;
  height: number;
  /** The copy is cropped to fill that size. */
  isFilled?: true;
  /** The format of the copy. Documents accept only JPEG. */
  as: "webp" | "jpeg" | "png";
  /** The accepted formats, by their first bytes. Default: all that the decoder supports. */
  kinds?: readonly ("jpeg" | "png" | "webp" | "icon")[];
  /** The limit of pixels: if the file's header states more, it is refused before a pixel is decoded. */
  pixelsMost?: number;
  /** The copy's pixels are returned too, four bytes each. */
  withPixels?: true;
}
export interface ImageCopy {
  bytes: Uint8Array;
  width: number;
  height: number;
  pixels?: Uint8Array;
}

// Photographs of a phone take half a second; the rest of the time is for hostile files.
const timeoutMs = 20_000;

let pool: WorkerPool<ImageTask, ImageCopy> | undefined;

/**
 * Copies one image at a time in this process: the decoder's memory is not JavaScript memory, and cannot be reclaimed.
 */
function runCopy(task: ImageTask, group: string): Promise<TaskResult<ImageCopy>> {
  pool ??= workerPool(new URL("image-copy.worker.ts", import.meta.url), 1, {
    maxOldGenerationSizeMb: 256,
    maxExternalMb: 256,
  });
  return pool.run(task, { timeoutMs, group });
}

/**
 * Copies a stored image without the file's metadata, outside this thread and under limits; null if it cannot be read.
 */
export async function copyImage(task: { path: string; side: number; as: "webp" | "jpeg" }): Promise<ImageCopy | null> {
  const { path, side, as } = task;
  const result = await runCopy({ source: { path }, width: side, height: side, as }, "");
  if (!("refusal" in result)) return result.value;
  // A thread that died may have lacked time or memory: the job tries again.
  if (result.died) throw new Error("no picture was made");
  return null;
}

const waiting = new Map<string, number>();
let waitingTotal = 0;

/**
 * Draws an image again while its request waits. Users take turns; the images of one user are processed one after
 * another. Refuses pictureTooLarge, pictureBusy, or `unreadable`; `field` is the form's.
 */
export async function redrawImage(
  person: string,
  task: ImageTask,
  { unreadable, field }: { unreadable: RefusalName; field?: string },
): Promise<ImageCopy> {
  const refuseImage = (refusal: RefusalName): never =>
    refuse(refusal, { ...(field && { [field]: refusal }), megapixels: imageRules.megapixels });
  const before = waiting.get(person) ?? 0;
  if (before >= imageRules.waitingOfOne || waitingTotal >= imageRules.waitingOfAll) refuseImage("pictureBusy");
  waiting.set(person, before + 1);
  waitingTotal += 1;
  try {
    const result = await runCopy({ ...task, pixelsMost: imageRules.megapixels * 1_000_000 }, person);
    if ("value" in result) return result.value;
    return refuseImage(result.refusal === "pictureTooLarge" ? "pictureTooLarge" : unreadable);
  } finally {
    const left = waiting.get(person)! - 1;
    if (left > 0) waiting.set(person, left);
    else waiting.delete(person);
    waitingTotal -= 1;
  }
}
