import { headerOf, type DicomHeader } from "../dicom/header.ts";
import { decodeFrame, greyOf } from "../dicom/pixels.ts";
import { DicomError } from "../dicom/error.ts";
import type { DicomFile } from "../dicom/read.ts";
import type { GreyFrame } from "../dicom/grey.ts";
import type { Scaling } from "../dicom/voi.ts";
import { autoWindow, rangeOf, type GreyData, type Window } from "../picture/window.ts";
import { driftOf, upright } from "./shear.ts";
import { normalOf, slicesOf, sliceSpacing, type Slice } from "./slices.ts";

/** Where a volume lies and what its values mean. Lengths in mm, coordinates in DICOM patient LPS. */
export interface VolumeInfo {
  columns: number;
  rows: number;
  slices: number;
  /** [between columns, between rows, between slices]. */
  spacing: [number, number, number];
  /** Centre of voxel (0, 0, 0). */
  origin: [number, number, number];
  /** Three unit vectors one after another: of rising column, row and slice index. Their determinant is +1. */
  direction: [number, number, number, number, number, number, number, number, number];
  /** Of the data as stored; the value itself is data × valueScale + valueOffset. */
  min: number;
  max: number;
  /** 0 but for 16-bit unsigned values that reach above 32767, and where values have a scale. */
  valueOffset: number;
  /** 1 but where the slope of the files is no whole number. */
  valueScale: number;
  /** In terms of the data as stored. */
  window: Window;
  /** Cone-beam grey values are never Hounsfield units, whatever the file says. */
  valueName: "HU" | "grey";
}

export interface Volume {
  info: VolumeInfo;
  /** `[slice][row][column]`, after the modality transformation. */
  data: Int16Array;
}

/**
 * Decodes the slices of a volume group, in the group's order; a multi-frame file is a volume by itself. The planes of a
 * tilted gantry are straightened into a grid at right angles that keeps every place in the patient.
 * @param files all of one size and orientation; one after another, so that they need not all lie in memory
 * @param expected number of files where `files` cannot tell, to take the memory once
 * @throws DicomError of decoding; unsupported when sizes differ or values span more than 16 bits
 */
export async function buildVolume(
  files: Iterable<DicomFile> | AsyncIterable<DicomFile>,
  expected?: number,
): Promise<Volume> {
  const filling = new Filling(expected ?? (Array.isArray(files) ? files.length : 0));
  for await (const file of files) await filling.addFile(file);
  return filling.finish();
}

/** Gathers slices and keeps their values within 16 bits. */
class Filling {
  #data = new Int16Array();
  #filled = 0;
  #expected: number;
  #headers: DicomHeader[] = [];
  #window: Window | null = null;
  /** Of the first slice; all others are brought to it. */
  #scaling: Scaling | null = null;
  /** What is taken off the data so that they fit. */
  #offset = 0;
  #min = Infinity;
  #max = -Infinity;

  constructor(expected: number) {
    this.#expected = expected;
  }

  async addFile(file: DicomFile): Promise<void> {
    const header = headerOf(file);
    const first = this.#headers[0] ?? header;
    if (header.rows !== first.rows || header.columns !== first.columns)
      throw new DicomError("unsupported", "slices of different size");
    if (this.#headers.length > 0 && header.frames > 1)
      throw new DicomError("unsupported", "several multi-frame files for one volume");
    this.#headers.push(header);
    const frames = header.frames > 1 ? slicesOf([header]).map(({ frame }) => frame) : [0];
    this.#reserve(header, Math.max(frames.length, this.#expected));
    for (const frame of frames) {
      this.#addFrame(greyOf(file, await decodeFrame(file, frame), frame));
    }
  }

  #addFrame(grey: GreyFrame): void {
    const { scale, offset } = (this.#scaling ??= { scale: grey.scale, offset: grey.offset });
    if (grey.scale === scale && grey.offset === offset) {
      if (grey.windowIsOwn) this.#window ??= grey.window;
      return this.#addSlice(grey.data, grey.min, grey.max);
    }
    const data = Int32Array.from(grey.data, (value) => Math.round((value * grey.scale + grey.offset - offset) / scale));
    const { min, max } = rangeOf(data);
    this.#addSlice(data, min, max);
  }

  #reserve(header: DicomHeader, slices: number): void {
    const size = header.rows * header.columns;
    const needed = Math.max(slices * size, this.#filled + size);
    if (this.#data.length >= needed) return;
    const grown = new Int16Array(this.#data.length === 0 ? needed : Math.max(needed, this.#data.length * 2));
    grown.set(this.#data.subarray(0, this.#filled));
    this.#data = grown;
  }

  #addSlice(values: GreyData, min: number, max: number): void {
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
    if (this.#max - this.#offset > 32767 || this.#min - this.#offset < -32768) this.#shift();
    const { length } = values;
    if (this.#offset === 0) this.#data.set(values, this.#filled);
    else for (let at = 0; at < length; at++) this.#data[this.#filled + at] = values[at] - this.#offset;
    this.#filled += length;
  }

  /** Moves what is there so that the whole range fits. */
  #shift(): void {
    if (this.#max - this.#min > 65535)
      throw new DicomError("unsupported", `grey values from ${this.#min} to ${this.#max}`);
    const offset = Math.max(this.#max - 32767, Math.min(this.#min + 32768, 32768));
    const change = offset - this.#offset;
    for (let at = 0; at < this.#filled; at++) this.#data[at] -= change;
    this.#offset = offset;
  }

  finish(): Volume {
    const [first] = this.#headers;
    if (first === undefined) throw new DicomError("noPixels", "a volume without slices");
    const filled = this.#filled === this.#data.length ? this.#data : this.#data.slice(0, this.#filled);
    const window = this.#window
      ? { ...this.#window, center: this.#window.center - this.#offset }
      : autoWindow(sampled(filled));
    const { scale, offset } = this.#scaling ?? { scale: 1, offset: 0 };
    const range = {
      min: this.#min - this.#offset,
      max: this.#max - this.#offset,
      valueOffset: this.#offset * scale + offset,
      valueScale: scale,
    };
    const { data, ...grid } = gridOf(this.#headers, filled, range.min);
    return { info: { ...grid, ...range, window, valueName: valueNameOf(first) }, data };
  }
}

type Grid = Pick<VolumeInfo, "columns" | "rows" | "slices" | "spacing" | "origin" | "direction">;

/** The slices as a grid at right angles; leaning ones are straightened. */
function gridOf(headers: readonly DicomHeader[], data: Int16Array, fill: number): Grid & { data: Int16Array } {
  const [{ columns, rows, pixelSpacing, ...first }] = headers;
  const [row, column] = pixelSpacing ?? [1, 1];
  const orientation = first.imageOrientation ?? [1, 0, 0, 0, 1, 0];
  const planes: Slice[] = slicesOf(headers);
  const slices = data.length / (rows * columns);
  const drift = planes.length === slices ? driftOf(planes, [row, column]) : null;
  const stack =
    drift === null ? { columns, rows, data, left: 0, top: 0 } : upright({ columns, rows, data }, drift, fill);
  const start = planes[0]?.position ?? [0, 0, 0];
  const corner = (axis: number): number =>
    start[axis] + stack.left * column * orientation[axis] + stack.top * row * orientation[3 + axis];
  return {
    columns: stack.columns,
    rows: stack.rows,
    slices,
    spacing: [column, row, sliceSpacing(planes) || first.sliceThickness || 1],
    origin: [corner(0), corner(1), corner(2)],
    direction: [...orientation, ...normalOf(orientation)],
    data: stack.data,
  };
}

/** About a million values, evenly taken. */
function sampled(data: Int16Array): Int16Array {
  const step = Math.max(1, Math.floor(data.length / 1_000_000) | 1);
  return step === 1
    ? data
    : Int16Array.from({ length: Math.floor(data.length / step) }, (_, index) => data[index * step]);
}

/** Only whole-body fan-beam scanners are calibrated in Hounsfield units; dental cone-beam devices write "CT" and "HU" too. */
export function valueNameOf(header: DicomHeader): "HU" | "grey" {
  const isCt = header.modality === "CT" && /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.2(\.1)?$/.test(header.sopClassUid);
  const maker = `${header.manufacturer} ${header.model}`;
  return isCt && fanBeamMakers.test(maker) && !/dental|cbct|cone/i.test(maker) ? "HU" : "grey";
}

const fanBeamMakers =
  /\b(GE MEDICAL|GE HEALTHCARE|SIEMENS|PHILIPS|TOSHIBA|CANON|HITACHI|FUJIFILM|UIH|UNITED IMAGING|NEUSOFT)\b/i;
