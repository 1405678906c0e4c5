import { imageWorker } from "../platform/storage/image-worker.ts";
import type { PictureInfo } from "../tables/study.ts";

export interface FilmTask {
  /** The path of the derived image. */
  path: string;
  picture: PictureInfo;
  /** The longer side of the result, in pixels. */
  side: number;
  /** The rotation in quarter turns, clockwise. */
  turns: number;
}
export interface FilmPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Renders a film as viewers open it, as a JPEG, outside this thread; null if it cannot be read. */
export const filmPicture = imageWorker<FilmTask, FilmPicture>(new URL("film-picture.worker.ts", import.meta.url));
