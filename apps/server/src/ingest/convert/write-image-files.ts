import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { DerivedFile } from "./pixel-task-types.ts";

// One image at a time in each thread: the parallelism is in the pool.
sharp.concurrency(1);
sharp.cache(false);

const thumbnailSide = 320;
export const pixelLimit = 120_000_000;

export interface RawImage {
  data: Uint8Array | Uint8ClampedArray;
  columns: number;
  rows: number;
  channels: 1 | 3 | 4;
}

/** Writes a WebP of at most 320 pixels on its longer side, from 8-bit samples or from an encoded image. */
export async function writeThumbnail(source: RawImage | Sharp, out: string): Promise<DerivedFile> {
  const image = "data" in source && "columns" in source ? toSharp(source) : source;
  const bytes = await image
    .resize(thumbnailSide, thumbnailSide, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  return writeFile(out, "thumbnail", bytes, "image/webp");
}

export const writeRgbaThumbnail = (
  data: Uint8ClampedArray,
  { width, height }: { width: number; height: number },
  out: string,
): Promise<DerivedFile> => writeThumbnail({ data, columns: width, rows: height, channels: 4 }, out);

export const toSharp = ({ data, columns, rows, channels }: RawImage): Sharp =>
  sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width: columns, height: rows, channels },
    limitInputPixels: pixelLimit,
  });

/** Grey values in little endian, the byte order of every platform that this runs on. */
export function writeGrey16(data: Int16Array | Uint16Array, out: string, name: string): DerivedFile {
  return writeGzip(Buffer.from(data.buffer, data.byteOffset, data.byteLength), out, name);
}

/** Writes zeros and ones, eight in a byte, the first in the lowest bit. */
export function writeBits(bits: Uint8Array, out: string, name: string): DerivedFile {
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  for (let at = 0; at < bits.length; at++) packed[at >> 3]! |= bits[at]! << (at & 7);
  return writeGzip(packed, out, name);
}

export const writeGzip = (bytes: Uint8Array, out: string, name: string): DerivedFile =>
  writeFile(out, name, gzipSync(bytes, { level: 4 }), "application/octet-stream");

export function writeFile(out: string, name: string, bytes: Uint8Array, type: string): DerivedFile {
  const target = path.join(out, name);
  writeFileSync(target, bytes);
  return { path: target, sha256: createHash("sha256").update(bytes).digest("hex"), type };
}
