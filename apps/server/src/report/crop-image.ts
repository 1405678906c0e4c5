import { createImageWorker } from "../platform/storage/image-worker.ts";
import type { ImageInfo } from "../tables/study-columns.ts";

export interface CropTask {
  /** Path of the converted image. */
  path: string;
  picture: ImageInfo;
  /** In pixels of the image; null: the whole image. */
  box: { left: number; top: number; right: number; bottom: number } | null;
  /** Quarters clockwise. */
  turns: number;
  /** The size into which the cut is fitted after it is turned, in pixels. */
  fit: { width: number; height: number };
}
export interface CroppedImage {
  jpeg: Uint8Array;
  width: number;
  height: number;
}

/** Cuts a part out of an image as a JPEG, in another thread; null if the image cannot be read. */
export const cropImage = createImageWorker<CropTask, CroppedImage>(new URL("crop-image.worker.ts", import.meta.url));
