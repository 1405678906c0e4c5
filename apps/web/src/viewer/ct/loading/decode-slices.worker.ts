import openjphUrl from "@cornerstonejs/codec-openjph/wasm?url";
import { setWasmLocator } from "@arcada/imaging/dicom/codec/wasm-decoder";
import { buildPreview, slicesPerGroup } from "@arcada/imaging/volume/volume-preview";
import { decodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { createHalfFloatTable, toHalfFloats } from "@arcada/imaging/gl/half-float";

export interface DecodeJob {
  id: number;
  bytes: Uint8Array<ArrayBuffer>;
  info: VolumeInfo;
  /** Half floats hold (grey value − offset). */
  offset: number;
  factor: number;
}

/** Buffers of a result that is no longer needed. */
export interface RecycledBuffers {
  recycled: ArrayBuffer[];
}

export type DecodeResult =
  | { id: number; values: Int16Array<ArrayBuffer>; halves: Uint16Array<ArrayBuffer>; count: number }
  | { id: number; fault: string };

setWasmLocator(() => openjphUrl);

let table: { offset: number; halves: Uint16Array } | null = null;

/**
 * Buffers for the next results. With new ones for each group, hundreds of megabytes would wait for the garbage collector
 * of the page while a volume loads; `ArrayBuffer.transfer` frees them without telling it, and they stayed.
 */
const spare: ArrayBuffer[] = [];
/** Two buffers for each of the eight groups that may be under way at once. */
const maxSpare = 16;

self.addEventListener("message", ({ data }: MessageEvent<DecodeJob | RecycledBuffers>) => {
  if ("recycled" in data) spare.push(...data.recycled.slice(0, maxSpare - spare.length));
  else void handleJob(data);
});

function takeBuffer(bytes: number): ArrayBuffer {
  const found = spare.findIndex(({ byteLength }) => byteLength === bytes);
  return (found === -1 ? undefined : spare.splice(found, 1)[0]) ?? new ArrayBuffer(bytes);
}

async function handleJob(job: DecodeJob): Promise<void> {
  try {
    const done = await decode(job);
    self.postMessage(done, { transfer: [done.values.buffer, done.halves.buffer] });
  } catch (error) {
    self.postMessage({
      id: job.id,
      fault: error instanceof Error ? error.message : String(error),
    } satisfies DecodeResult);
  }
}

async function decode({ id, bytes, info, offset, factor }: DecodeJob) {
  let values = new Int16Array();
  const { length: count } = await decodeSliceGroup(
    bytes,
    (slices) => (values = new Int16Array(takeBuffer(2 * info.columns * info.rows * Math.min(slices, slicesPerGroup)))),
  );
  const shown = factor === 1 ? values : buildPreview({ ...info, slices: count }, values, factor).data;
  if (table?.offset !== offset) table = { offset, halves: createHalfFloatTable(offset) };
  const halves = toHalfFloats(shown, table.halves, new Uint16Array(takeBuffer(2 * shown.length)));
  return { id, values, halves, count };
}
