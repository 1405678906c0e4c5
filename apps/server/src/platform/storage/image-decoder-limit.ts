import type { Metadata } from "sharp";

/**
 * The decoder of an image may hold this many bytes at once. Its memory does not belong to the thread, and no thread
 * limit counts it.
 */
const maxDecoderBytes = 400_000_000;

/** True if an image may be decoded, judging by its header. */
export const isDecodable = (found: Metadata, pixelsMost: number): boolean =>
  found.width * found.height <= pixelsMost && decoderBytes(found) <= maxDecoderBytes;

/**
 * Estimates the decoder's memory. An image that is decoded row by row needs none; one in several passes, or one that is
 * rotated, is held as a whole.
 */
function decoderBytes({ format, width, height, channels, depth, isProgressive, orientation = 1 }: Metadata): number {
  const inRows = format === "jpeg" || (format === "png" && orientation === 1);
  if (inRows && !isProgressive) return 0;
  // Coefficients of a progressive JPEG have two bytes.
  const sampleBytes =
    format === "jpeg" ? 2 : depth === "uchar" || depth === "char" ? 1 : depth?.includes("short") ? 2 : 8;
  return width * height * channels * sampleBytes;
}
