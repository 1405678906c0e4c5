/**
 * Limits of an inflated data set. Few devices deflate, and the files that they deflate are small; a forged one must be
 * detected within 2 s of processor time and 512 MB. The ratio applies above `ratioFrom` bytes, as for archives.
 */
export const inflateLimits = { bytes: 128 * 1024 * 1024, ratio: 200, ratioFrom: 10_000_000 } as const;

/** Returns the largest accepted size of inflated data, in bytes. */
export const maxInflatedSize = (coded: Uint8Array): number =>
  Math.min(inflateLimits.bytes, Math.max(inflateLimits.ratioFrom, coded.length * inflateLimits.ratio));
