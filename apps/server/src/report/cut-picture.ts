import { pictureThread } from "../kernel/picture-thread.ts";
import type { PictureInfo } from "../tables/study.ts";

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

/** A piece of a picture as a JPEG, apart from this thread; null where the picture cannot be read. */
export const cutPicture = pictureThread<CutTask, Cut>(new URL("cut-picture.worker.ts", import.meta.url));
