import type { Metadata } from "sharp";

/**
 * The decoder of an image may hold this many bytes at once. Its memory does not belong to the thread, and no thread
 * limit counts it.
 */
const heldMost = 400_000_000;

/** Whether a picture may be decoded, by what its header tells. */
export const isDecodable = (found: Metadata, pixelsMost: number): boolean =>
  found.width * found.height <= pixelsMost && heldBytes(found) <= heldMost;

/** A picture that comes row by row costs nothing; one in several passes, or that is turned, is held as a whole. */
function heldBytes({ format, width, height, channels, depth, isProgressive, orientation = 1 }: Metadata): number {
  const inRows = format === "jpeg" || (format === "png" && orientation === 1);
  if (inRows && !isProgressive) return 0;
  // Coefficients of a progressive JPEG have two bytes.
  const sampleBytes =
    format === "jpeg" ? 2 : depth === "uchar" || depth === "char" ? 1 : depth?.includes("short") ? 2 : 8;
  return width * height * channels * sampleBytes;
}
