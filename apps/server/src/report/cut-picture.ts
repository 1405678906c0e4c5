import { imageWorker } from "../platform/storage/image-worker.ts";
import type { PictureInfo } from "../tables/study.ts";

export interface CutTask {
  /** Path of the converted image. */
  path: string;
  picture: PictureInfo;
  /** In pixels of the image; null: the whole image. */
  box: { left: number; top: number; right: number; bottom: number } | null;
  /** Quarters clockwise. */
  turns: number;
  /** The size into which the cut is fitted after it is turned, in pixels. */
  fit: { width: number; height: number };
}
export interface Cut {
  jpeg: Uint8Array;
  width: number;
  height: number;
}

/** Cuts a part out of an image as a JPEG, in another thread; null if the image cannot be read. */
export const cutPicture = imageWorker<CutTask, Cut>(new URL("cut-picture.worker.ts", import.meta.url));
