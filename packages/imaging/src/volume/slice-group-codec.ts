import { decodeHtj2k, encodeHtj2k } from "../dicom/codec/htj2k.ts";
import { DicomError } from "../dicom/dicom-error.ts";
import type { VolumeInfo } from "./volume.ts";

// A group file, all in little endian: magic, version (2 bytes), count (2), columns (4), rows (4),
// count + 1 offsets from the start of the file (4 each), then one lossless HTJ2K codestream per slice.
const magic = 0x47564341; // "ACVG"
const version = 1;
const headBytes = 16;

/** Packs slices `[row][column]`, each taken when the one before it is packed, without loss into one self-describing file. */
export async function encodeSliceGroup(
  slices: Iterable<Int16Array>,
  { columns, rows }: Pick<VolumeInfo, "columns" | "rows">,
): Promise<Uint8Array> {
  const coded: Uint8Array[] = [];
  for (const slice of slices) {
    if (slice.length !== columns * rows)
      throw new RangeError(`slice of ${slice.length} values, ${columns * rows} expected`);
    coded.push(await encodeHtj2k(slice, columns, rows));
  }
  const start = headBytes + (coded.length + 1) * 4;
  const out = new Uint8Array(coded.reduce((sum, part) => sum + part.length, start));
  const view = new DataView(out.buffer);
  view.setUint32(0, magic, true);
  view.setUint16(4, version, true);
  view.setUint16(6, coded.length, true);
  view.setUint32(8, columns, true);
  view.setUint32(12, rows, true);
  let at = start;
  coded.forEach((part, index) => {
    view.setUint32(headBytes + index * 4, at, true);
    out.set(part, at);
    at += part.length;
  });
  view.setUint32(headBytes + coded.length * 4, at, true);
  return out;
}

/**
 * Unpacks the output of `encodeSliceGroup`.
 * @param allocate returns the array into which so many slices are written one after another; without it, each slice has
 * an array of its own
 * @throws DicomError unsupported when the bytes are no such file, or do not fill that array; truncated when they end
 * early or are damaged.
 */
export async function decodeSliceGroup(
  bytes: Uint8Array,
  allocate?: (count: number) => Int16Array,
): Promise<Int16Array[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || view.getUint32(0, true) !== magic)
    throw new DicomError("unsupported", "not a group of slices");
  if (view.getUint16(4, true) !== version)
    throw new DicomError("unsupported", `group of slices in version ${view.getUint16(4, true)}`);
  const [count, columns, rows] = [view.getUint16(6, true), view.getUint32(8, true), view.getUint32(12, true)];
  if (bytes.length < headBytes + (count + 1) * 4)
    throw new DicomError("truncated", "group of slices without its offsets");
  const offsets = Array.from({ length: count + 1 }, (_, index) => view.getUint32(headBytes + index * 4, true));
  if (offsets[count] !== bytes.length)
    throw new DicomError("truncated", `group of ${offsets[count]} bytes, ${bytes.length} arrived`);
  const size = columns * rows;
  const all = allocate?.(count);
  if (all && all.length !== count * size)
    throw new DicomError("unsupported", `group of ${count} × ${size} values, ${all.length} expected`);
  const slices: Int16Array[] = [];
  for (let index = 0; index < count; index++) {
    const own = all?.subarray(index * size, (index + 1) * size);
    const { bytes: values } = await decodeHtj2k(
      bytes.subarray(offsets[index], offsets[index + 1]),
      { columns, rows, samples: 1 },
      own && ((samples) => copyInto(own, samples)),
    );
    slices.push(own ?? new Int16Array(values.buffer, values.byteOffset, values.byteLength / 2));
  }
  return slices;
}

function copyInto(slice: Int16Array, samples: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength);
  if (samples.length !== bytes.length)
    throw new DicomError("unsupported", `a slice of ${samples.length} bytes, ${bytes.length} expected`);
  bytes.set(samples);
  return bytes;
}
