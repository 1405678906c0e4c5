import { inflateRawSync } from "node:zlib";
import { DicomError } from "../dicom-error.ts";

/**
 * Undoes raw deflate (RFC 1951; PS3.5 A.5 and A.4.13) with Node's zlib. `head` is put before the result.
 * @throws DicomError truncated when the coded bytes end early or make no sense, bomb when they unpack to more than `limit`.
 */
export function inflateRaw(coded: Uint8Array, limit = maxInflatedSize(coded), head: Uint8Array = noBytes): Uint8Array {
  const body = unpack(coded, limit);
  if (head.length === 0) return body;
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}

/**
 * Limits of an inflated data set. Few devices deflate, and the files that they deflate are small; a forged one must be
 * detected within 2 s of processor time and 512 MB. The ratio applies above `ratioFrom` bytes, as for archives.
 */
export const inflateLimits = { bytes: 128 * 1024 * 1024, ratio: 200, ratioFrom: 10_000_000 } as const;

/** Returns the largest accepted size of inflated data, in bytes. */
export const maxInflatedSize = (coded: Uint8Array): number =>
  Math.min(inflateLimits.bytes, Math.max(inflateLimits.ratioFrom, coded.length * inflateLimits.ratio));

const noBytes = new Uint8Array();
const maxChunkBytes = 16 * 1024 * 1024;

function unpack(coded: Uint8Array, limit: number): Uint8Array {
  try {
    // zlib joins its chunks at the end. A usual result fits into one, and a chunk never holds much unused memory.
    const chunkSize = Math.min(limit, maxChunkBytes, Math.max(coded.length * 4, 1024));
    const { buffer, byteOffset, length } = inflateRawSync(coded, { maxOutputLength: limit, chunkSize });
    return new Uint8Array(buffer, byteOffset, length);
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE")
      throw new DicomError("bomb", `deflated data of more than ${limit} bytes`);
    throw new DicomError("truncated", `deflated data: ${(error as Error).message}`);
  }
}
