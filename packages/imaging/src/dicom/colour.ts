import { DicomError } from "./error.ts";
import type { DicomFile } from "./read.ts";
import type { RawFrame } from "./samples.ts";
import { tags } from "./tags.ts";

/** One frame as colour: `[row][column][red, green, blue]`, 8 bits each. */
export interface ColourFrame {
  rows: number;
  columns: number;
  data: Uint8Array;
}

/**
 * RGB of a colour frame: RGB and YBR_FULL samples, or a palette (PS3.3 C.7.6.3.1.2). More than 8 bits are cut to the upper 8.
 * @throws DicomError unsupported for grey frames, other colour spaces and segmented palettes.
 */
export function rgbOf(file: DicomFile, raw: RawFrame): ColourFrame {
  const { rows, columns, photometric } = raw;
  if (photometric === "PALETTE COLOR") return { rows, columns, data: throughPalette(file, raw) };
  if (raw.samples !== 3) throw new DicomError("unsupported", `${photometric} is not colour`);
  const shift = Math.max(0, raw.bitsStored - 8);
  const data = new Uint8Array(raw.data.length);
  for (let at = 0; at < data.length; at++) data[at] = raw.data[at] >>> shift;
  if (/^YBR_(FULL|FULL_422)$/.test(photometric)) toRgb(data);
  else if (photometric !== "RGB") throw new DicomError("unsupported", `photometric interpretation ${photometric}`);
  return { rows, columns, data };
}

/** Three samples a pixel, or one that a palette turns into three (PS3.3 C.7.6.3.1.2). */
export const isColour = (raw: RawFrame): boolean => raw.samples === 3 || raw.photometric === "PALETTE COLOR";

function toRgb(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 3) {
    const [y, cb, cr] = [data[at], data[at + 1] - 128, data[at + 2] - 128];
    data[at] = byte(y + 1.402 * cr);
    data[at + 1] = byte(y - 0.344136 * cb - 0.714136 * cr);
    data[at + 2] = byte(y + 1.772 * cb);
  }
}

const byte = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));

function throughPalette(file: DicomFile, raw: RawFrame): Uint8Array {
  const channels = (
    [
      ["redDescriptor", "redPalette"],
      ["greenDescriptor", "greenPalette"],
      ["blueDescriptor", "bluePalette"],
    ] as const
  ).map(([descriptor, palette]) => readPalette(file, tags[descriptor], tags[palette], raw.signed));
  const out = new Uint8Array(raw.data.length * 3);
  channels.forEach(({ first, bytes }, channel) => {
    for (let at = 0; at < raw.data.length; at++)
      out[at * 3 + channel] = bytes[Math.min(bytes.length - 1, Math.max(0, raw.data[at] - first))];
  });
  return out;
}

function readPalette(
  file: DicomFile,
  descriptorTag: string & `x${string}`,
  dataTag: string & `x${string}`,
  signed: boolean,
): { first: number; bytes: Uint8Array } {
  const [count = 0, start = 0, bits = 16] = file.numbers(descriptorTag).map((value) => value & 0xffff);
  const length = count === 0 ? 65536 : count;
  const stored = file.bytesOf(dataTag);
  if (stored === null) throw new DicomError("unsupported", "palette colour without a plain palette");
  const wide = stored.length >= length * 2;
  const entries = wide ? file.numbers(dataTag) : Array.from(stored);
  if (entries.length < length)
    throw new DicomError("truncated", `palette of ${entries.length} entries, ${length} expected`);
  // Some writers put 8-bit entries into 16-bit words and call them 16 bits wide: the largest tells.
  const shift = wide && bits > 8 && entries.some((entry) => entry > 255) ? 8 : 0;
  return {
    first: signed && start > 32767 ? start - 65536 : start,
    bytes: Uint8Array.from(entries.slice(0, length), (entry) => entry >>> shift),
  };
}
