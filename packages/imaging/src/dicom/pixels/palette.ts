import { DicomError } from "../dicom-error.ts";
import { isLittleEndian } from "../parse/dicom-item.ts";
import { tags, type Tag } from "../parse/tags.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** One colour of a palette: the stored value of the first entry, and 8 bits for each entry. */
export interface PaletteChannel {
  first: number;
  bytes: Uint8Array;
}

/**
 * Reads the red, green and blue look-up tables of an image, plain or segmented (PS3.3 C.7.6.3.1.5, C.7.6.3.1.6 and
 * C.7.9.2).
 * @throws DicomError truncated if a table is too short, unsupported if there is none.
 */
export const readPalette = (file: DicomFile, signed: boolean): PaletteChannel[] =>
  (
    [
      [tags.redDescriptor, tags.redPalette, tags.redSegments],
      [tags.greenDescriptor, tags.greenPalette, tags.greenSegments],
      [tags.blueDescriptor, tags.bluePalette, tags.blueSegments],
    ] as const
  ).map(([descriptor, plain, segments]) => readChannel(file, descriptor, plain, segments, signed));

function readChannel(file: DicomFile, descriptor: Tag, plain: Tag, segments: Tag, signed: boolean): PaletteChannel {
  const [count = 0, start = 0, bits = 16] = file.numbers(descriptor).map((value) => value & 0xffff);
  const length = count === 0 ? 65536 : count;
  const { entries, isWide } = file.has(plain)
    ? readPlainEntries(file, plain, length)
    : readSegmentedEntries(file, segments, length, bits);
  if (entries.length < length)
    throw new DicomError("truncated", `palette of ${entries.length} entries, ${length} expected`);
  // Some writers put 8-bit entries into 16-bit words and declare them 16 bits wide: the largest entry reveals it.
  const shift = isWide && bits > 8 && entries.some((entry) => entry > 255) ? 8 : 0;
  return {
    first: signed && start > 32767 ? start - 65536 : start,
    bytes: Uint8Array.from(entries.slice(0, length), (entry) => entry >>> shift),
  };
}

interface Entries {
  entries: number[];
  isWide: boolean;
}

function readPlainEntries(file: DicomFile, tag: Tag, length: number): Entries {
  const stored = file.rawValue(tag) ?? new Uint8Array();
  const isWide = stored.length >= length * 2;
  return { entries: isWide ? file.numbers(tag) : Array.from(stored), isWide };
}

function readSegmentedEntries(file: DicomFile, tag: Tag, length: number, bits: number): Entries {
  const stored = file.rawValue(tag);
  if (stored === null) throw new DicomError("unsupported", "palette colour without a palette");
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const little = isLittleEndian(file.dataSet);
  const isWide = bits > 8;
  const words = isWide
    ? Array.from({ length: stored.length >> 1 }, (_, at) => view.getUint16(at * 2, little))
    : Array.from(stored);
  return { entries: expandSegments(words, length, isWide), isWide };
}

/**
 * Discrete, linear and indirect segments as single entries, `length` at most (PS3.3 C.7.9.2).
 * An indirect segment repeats earlier ones, named by their byte offset, and may not point at another indirect one.
 */
export function expandSegments(words: readonly number[], length: number, isWide: boolean): number[] {
  const out: number[] = [];
  const run = (from: number, segments: number, allowIndirect: boolean): void => {
    let at = from;
    for (let done = 0; done < segments && at + 1 < words.length && out.length < length; done++) {
      const [kind, count] = [words[at], words[at + 1]];
      if (count === 0) throw new DicomError("unsupported", "empty palette segment");
      const values = words.slice(at + 2, at + 2 + (kind === 0 ? count : kind === 1 ? 1 : isWide ? 2 : 4));
      if (kind === 0) out.push(...values);
      else if (kind === 1) appendLinear(out, count, values[0] ?? 0);
      else if (kind === 2 && allowIndirect) {
        const offset = values.reduce((sum, value, index) => sum + value * 2 ** (index * (isWide ? 16 : 8)), 0);
        run(isWide ? offset / 2 : offset, count, false);
      } else throw new DicomError("unsupported", `palette segment of kind ${kind}`);
      at += 2 + values.length;
    }
  };
  run(0, Infinity, true);
  return out;
}

/** `count` entries from the last one, which is not repeated, up to `end`. */
function appendLinear(out: number[], count: number, end: number): void {
  const start = out.at(-1) ?? 0;
  for (let step = 1; step <= count; step++) out.push(Math.round(start + ((end - start) * step) / count));
}
