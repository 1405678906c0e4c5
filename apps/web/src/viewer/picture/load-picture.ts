import { autoWindow, sampled, type Window } from "@arcada/imaging/picture/window";
import type { Instance } from "@arcada/contract/study/study.calls";
import { FetchFault, fetchBytes, fetchUnpacked } from "../frame/fetch-bytes.ts";
import { plainWindow, type Picture } from "@arcada/imaging/gl/picture";

export type PictureFile = NonNullable<Instance["picture"]>;

export interface LoadedPicture {
  picture: Picture;
  /** A bit for each pixel, the first in the lowest bit: 1 where graphics are drawn over the image. */
  overlay: Uint8Array | null;
  /** The file's own window, or one computed from its values. */
  window: Window;
  auto: Window;
}

/**
 * Loads a frame of a derived image, counted from 0. Throws FetchFault. `onPart` is called with the loaded share, 0 to
 * 1.
 */
export async function loadPicture(
  file: PictureFile,
  frame: number,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<LoadedPicture> {
  const one = { ...file, url: file.frames[frame] ?? file.url };
  const over = file.overlays[frame];
  const [loaded, overlay] = await Promise.all([
    file.format === "grey16" ? loadGrey(one, signal, onPart) : loadImage(one, signal),
    over === undefined ? null : fetchUnpacked(over, Math.ceil((file.columns * file.rows) / 8), signal),
  ]);
  return { ...loaded, overlay };
}

async function loadGrey(
  file: PictureFile,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<Omit<LoadedPicture, "overlay">> {
  const { columns, rows, spacing } = file;
  const size = columns * rows * 2;
  const bytes = await fetchUnpacked(file.url, size, signal, (came) => onPart(Math.min(1, came / size)));
  const data = file.signed ? new Int16Array(bytes.buffer) : new Uint16Array(bytes.buffer);
  const auto = autoWindow(sampled(data));
  return { picture: { kind: "grey", columns, rows, spacing, data }, window: file.window ?? auto, auto };
}

async function loadImage(file: PictureFile, signal: AbortSignal): Promise<Omit<LoadedPicture, "overlay">> {
  const bytes = await fetchBytes(file.url, signal);
  const bitmap = await createImageBitmap(new Blob([bytes])).catch((error: unknown) => {
    throw new FetchFault("damaged", error);
  });
  const { width: columns, height: rows } = bitmap;
  // A pixel of a derived image that is smaller than its source is larger in mm.
  const scale = file.columns / columns;
  const spacing = file.spacing && { row: file.spacing.row * (file.rows / rows), column: file.spacing.column * scale };
  return { picture: { kind: "image", columns, rows, spacing, bitmap }, window: plainWindow, auto: plainWindow };
}

/** The stored grey value under an image point; null outside the image or if only an 8-bit image exists. */
export function greyAt(picture: Picture, [x, y]: readonly [number, number]): number | null {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (picture.kind !== "grey" || column < 0 || row < 0 || column >= picture.columns || row >= picture.rows) return null;
  return picture.data[row * picture.columns + column] ?? null;
}
