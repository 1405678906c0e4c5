import { pictureThread } from "../kernel/picture-thread.ts";
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

/** A film as viewers open it, as a JPEG, apart from this thread; null where it cannot be read. */
export const filmPicture = pictureThread<FilmTask, FilmPicture>(new URL("film-picture.worker.ts", import.meta.url));
