/** The most files of a batch, and the most bytes of one that has several files. */
export interface BatchLimits {
  files: number;
  bytes: number;
}

/** Divides files into batches, in their order. A larger file has a batch of its own. */
export function divideIntoBatches<T extends { bytes: number }>(files: readonly T[], most: BatchLimits): T[][] {
  const batches: T[][] = [];
  let batchBytes = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && last.length < most.files && batchBytes + file.bytes <= most.bytes) {
      last.push(file);
      batchBytes += file.bytes;
    } else {
      batches.push([file]);
      batchBytes = file.bytes;
    }
  }
  return batches;
}
