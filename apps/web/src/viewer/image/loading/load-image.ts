import { computeAutoWindow, sampleValues, type VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Instance } from "@arcada/contract/study/study.schema";
import { FetchError, fetchBytes, fetchDecompressed } from "../../files/fetch-bytes.ts";
import { identityWindow, type RasterImage } from "@arcada/imaging/gl/raster-image";

export type ImageFile = NonNullable<Instance["picture"]>;

export interface LoadedImage {
  image: RasterImage;
  /** A bit for each pixel, the first in the lowest bit: 1 where graphics are drawn over the image. */
  overlay: Uint8Array | null;
  /** The file's own window, or one computed from its values. */
  window: VoiWindow;
  auto: VoiWindow;
}

/**
 * Loads a frame of a derived image, counted from 0. Throws FetchFault. `onPart` is called with the loaded share, 0 to
 * 1.
 */
export async function loadImageFrame(
  file: ImageFile,
  frame: number,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<LoadedImage> {
  const frameFile = { ...file, url: file.frames[frame] ?? file.url };
  const overlayUrl = file.overlays[frame];
  const [loaded, overlay] = await Promise.all([
    file.format === "grey16" ? loadGreyValues(frameFile, signal, onProgress) : loadBitmap(frameFile, signal),
    overlayUrl === undefined ? null : fetchDecompressed(overlayUrl, Math.ceil((file.columns * file.rows) / 8), signal),
  ]);
  return { ...loaded, overlay };
}

async function loadGreyValues(
  file: ImageFile,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<Omit<LoadedImage, "overlay">> {
  const { columns, rows, spacing } = file;
  const size = columns * rows * 2;
  const bytes = await fetchDecompressed(file.url, size, signal, (received) => onProgress(Math.min(1, received / size)));
  const data = file.signed ? new Int16Array(bytes.buffer) : new Uint16Array(bytes.buffer);
  const auto = computeAutoWindow(sampleValues(data));
  return { image: { kind: "grey", columns, rows, spacing, data }, window: file.window ?? auto, auto };
}

async function loadBitmap(file: ImageFile, signal: AbortSignal): Promise<Omit<LoadedImage, "overlay">> {
  const bytes = await fetchBytes(file.url, signal);
  const bitmap = await createImageBitmap(new Blob([bytes])).catch((error: unknown) => {
    throw new FetchError("damaged", error);
  });
  const { width: columns, height: rows } = bitmap;
  // A pixel of a derived image that is smaller than its source is larger in mm.
  const scale = file.columns / columns;
  const spacing = file.spacing && { row: file.spacing.row * (file.rows / rows), column: file.spacing.column * scale };
  return { image: { kind: "image", columns, rows, spacing, bitmap }, window: identityWindow, auto: identityWindow };
}

/** The stored grey value under an image point; null outside the image or if only an 8-bit image exists. */
export function readGreyValue(image: RasterImage, [x, y]: readonly [number, number]): number | null {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (image.kind !== "grey" || column < 0 || row < 0 || column >= image.columns || row >= image.rows) return null;
  return image.data[row * image.columns + column] ?? null;
}
