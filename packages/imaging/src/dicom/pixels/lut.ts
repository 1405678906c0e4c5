import { DicomError } from "../dicom-error.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import type { RawData } from "./pixel-samples.ts";
import { tags } from "../parse/tags.ts";

interface Lut {
  /** The stored value that the first entry belongs to; lower ones take the first entry, higher ones the last. */
  first: number;
  entries: number[];
}

/**
 * Reads a look-up table of PS3.3 C.11.1.1; 0 entries means 65536.
 * @throws DicomError truncated if it is too short.
 */
export function readLut(item: DicomItem, signed: boolean): Lut {
  const [count = 0, start = 0] = item.numbers(tags.lutDescriptor).map((value) => value & 0xffff);
  const first = signed && start > 32767 ? start - 65536 : start;
  const length = count === 0 ? 65536 : count;
  const bytes = item.rawValue(tags.lutData) ?? new Uint8Array();
  // Some writers store 8-bit entries one byte each, whatever the descriptor states.
  const entries = bytes.length < length * 2 ? Array.from(bytes) : item.numbers(tags.lutData);
  if (entries.length < length)
    throw new DicomError("truncated", `look-up table of ${entries.length} entries, ${length} expected`);
  return { first, entries: entries.slice(0, length) };
}

/** Stored values through a table. */
export function applyLut(data: RawData, { first, entries }: Lut): Int32Array {
  const values = new Int32Array(data.length);
  const last = entries.length - 1;
  for (let at = 0; at < values.length; at++) values[at] = entries[Math.min(last, Math.max(0, data[at] - first))];
  return values;
}
