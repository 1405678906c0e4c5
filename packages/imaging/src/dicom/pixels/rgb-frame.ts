import { DicomError } from "../dicom-error.ts";
import type { RawFrame } from "./pixel-samples.ts";
import { readPalette } from "./palette.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** One frame as colour: `[row][column][red, green, blue]`, 8 bits each. */
export interface ColourFrame {
  rows: number;
  columns: number;
  data: Uint8Array;
}

/**
 * RGB of a colour frame: RGB, YBR_FULL and YBR_PARTIAL samples, or a palette (PS3.3 C.7.6.3.1.2). More than 8 bits are cut to the upper 8.
 * @throws DicomError unsupported for grey frames and other colour spaces.
 */
export function toRgbFrame(file: DicomFile, raw: RawFrame): ColourFrame {
  const { rows, columns, photometric } = raw;
  if (photometric === "PALETTE COLOR") return { rows, columns, data: applyPalette(file, raw) };
  if (raw.samples !== 3) throw new DicomError("unsupported", `${photometric} is not colour`);
  const shift = Math.max(0, raw.bitsStored - 8);
  const data = new Uint8Array(raw.data.length);
  for (let at = 0; at < data.length; at++) data[at] = raw.data[at] >>> shift;
  if (/^YBR_(FULL|FULL_422)$/.test(photometric)) convertYbrFull(data);
  else if (/^YBR_PARTIAL(_422)?$/.test(photometric)) convertYbrPartial(data);
  else if (photometric !== "RGB") throw new DicomError("unsupported", `photometric interpretation ${photometric}`);
  return { rows, columns, data };
}

/** Three samples a pixel, or one that a palette turns into three (PS3.3 C.7.6.3.1.2). */
export const isColour = (raw: RawFrame): boolean => raw.samples === 3 || raw.photometric === "PALETTE COLOR";

function convertYbrFull(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 3) {
    const [y, cb, cr] = [data[at], data[at + 1] - 128, data[at + 2] - 128];
    data[at] = clampToByte(y + 1.402 * cr);
    data[at + 1] = clampToByte(y - 0.344136 * cb - 0.714136 * cr);
    data[at + 2] = clampToByte(y + 1.772 * cb);
  }
}

/** CCIR 601-2: luminance from 16 to 235, chrominance from 16 to 240 around 128 (PS3.3 C.7.6.3.1.2). */
function convertYbrPartial(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 3) {
    const [y, cb, cr] = [(data[at] - 16) * (255 / 219), data[at + 1] - 128, data[at + 2] - 128];
    data[at] = clampToByte(y + 1.596027 * cr);
    data[at + 1] = clampToByte(y - 0.391762 * cb - 0.812968 * cr);
    data[at + 2] = clampToByte(y + 2.017232 * cb);
  }
}

const clampToByte = (value: number): number => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));

function applyPalette(file: DicomFile, raw: RawFrame): Uint8Array {
  const out = new Uint8Array(raw.data.length * 3);
  readPalette(file, raw.signed).forEach(({ first, bytes }, channel) => {
    for (let at = 0; at < raw.data.length; at++)
      out[at * 3 + channel] = bytes[Math.min(bytes.length - 1, Math.max(0, raw.data[at] - first))];
  });
  return out;
}
