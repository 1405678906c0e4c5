import { createImageWorker } from "../platform/storage/image-worker.ts";
import type { ImageInfo } from "../tables/study-columns.ts";

export interface RadiographTask {
  /** The path of the derived image. */
  path: string;
  picture: ImageInfo;
  /** The longer side of the result, in pixels. */
  side: number;
  /** The rotation in quarter turns, clockwise. */
  turns: number;
}
export interface RadiographImage {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Renders a radiograph as viewers open it, as a JPEG, outside this thread; null if it cannot be read. */
export const renderRadiographImage = createImageWorker<RadiographTask, RadiographImage>(
  new URL("render-radiograph-image.worker.ts", import.meta.url),
);
