import { DicomError } from "../dicom/error.ts";
import type { GreyFrame } from "../dicom/grey.ts";
import { headerOf, type DicomHeader } from "../dicom/header.ts";
import { decodeFrame, greyOf } from "../dicom/pixels.ts";
import type { DicomFile } from "../dicom/read.ts";
import type { Scaling } from "../dicom/voi.ts";
import { rangeOf, volumeWindow, type GreyData, type Window } from "../picture/window.ts";
import { burnsOut } from "./burnt-out.ts";
import { Coarsening } from "./coarse.ts";
import { previewOf } from "./preview.ts";
import { driftOf, upright, type Upright } from "./shear.ts";
import { normalOf, slicesOf, sliceSpacing, type Slice } from "./slices.ts";
import { valueNameOf } from "./value-name.ts";
import type { Volume, VolumeInfo } from "./volume.ts";

/** A store for decoded slices of one size that wait to be packed: in memory, or in a file. */
export interface Shelf {
  put(place: number, slice: Int16Array): void;
  /** May answer the same array again and again. */
  get(place: number): Int16Array;
}

/** A volume of which no more than a slice needs to be in memory. */
export interface StackedVolume {
  info: VolumeInfo;
  preview: Volume;
  /** `[row][column]`, after the modality transformation; valid until the next call. */
  slice: (place: number) => Int16Array;
}

/**
 * Decodes the slices of a volume group in the group's order and lays them on a shelf; see `buildVolume`.
 * @param expected how many files there are
 */
export async function stackVolume(
  files: Iterable<DicomFile> | AsyncIterable<DicomFile>,
  expected: number,
  shelf: Shelf,
): Promise<StackedVolume> {
  const stacking = new Stacking(expected, shelf);
  for await (const file of files) await stacking.addFile(file);
  return stacking.finish();
}

const previewFactor = 4;

/** Gathers slices and keeps their values within 16 bits. */
class Stacking {
  #expected: number;
  #shelf: Shelf;
  #headers: DicomHeader[] = [];
  #coarse: Coarsening | null = null;
  #window: Window | null = null;
  #samples: Samples | null = null;
  /** The scaling of the first slice; all others are converted to it. */
  #scaling: Scaling | null = null;
  /**
   * The offset subtracted from the values so that they fit into 16 bits: the present one, and that of each slice when
   * it was stored.
   */
  #offset = 0;
  #offsets: number[] = [];
  #fitted = new Int16Array();
  #min = Infinity;
  #max = -Infinity;

  constructor(expected: number, shelf: Shelf) {
    this.#expected = expected;
    this.#shelf = shelf;
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
    this.#coarse ??= new Coarsening(header, previewFactor);
    this.#samples ??= new Samples(header.rows * header.columns * Math.max(frames.length, this.#expected));
    for (const frame of frames) this.#addFrame(greyOf(file, await decodeFrame(file, frame), frame));
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

  #addSlice(values: GreyData, min: number, max: number): void {
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
    if (this.#max - this.#offset > 32767 || this.#min - this.#offset < -32768) this.#moveRange();
    this.#coarse?.add(values);
    this.#samples?.add(values);
    this.#shelf.put(this.#offsets.length, this.#fit(values));
    this.#offsets.push(this.#offset);
  }

  #fit(values: GreyData): Int16Array {
    if (this.#offset === 0 && values instanceof Int16Array) return values;
    if (this.#fitted.length !== values.length) this.#fitted = new Int16Array(values.length);
    for (let at = 0; at < values.length; at++) this.#fitted[at] = values[at] - this.#offset;
    return this.#fitted;
  }

  /** Moves the offset so that the whole range fits; stored slices are converted when they are read. */
  #moveRange(): void {
    if (this.#max - this.#min > 65535)
      throw new DicomError("unsupported", `grey values from ${this.#min} to ${this.#max}`);
    this.#offset = Math.max(this.#max - 32767, Math.min(this.#min + 32768, 32768));
  }

  finish(): StackedVolume {
    const [first] = this.#headers;
    if (first === undefined) throw new DicomError("noPixels", "a volume without slices");
    const offset = this.#offset;
    const own = this.#window;
    const samples = this.#samples!.values();
    const isUsed = own !== null && !(first.modality === "CT" && burnsOut(own, samples));
    const window = isUsed ? own : volumeWindow(samples);
    const scaling = this.#scaling ?? { scale: 1, offset: 0 };
    const { grid, straight } = gridOf(this.#headers, this.#offsets.length);
    const info: VolumeInfo = {
      ...grid,
      min: this.#min - offset,
      max: this.#max - offset,
      window: { ...window, center: window.center - offset },
      ...(own && !isUsed && { fileWindow: { ...own, center: own.center - offset } }),
      valueOffset: offset * scaling.scale + scaling.offset,
      valueScale: scaling.scale,
      valueName: valueNameOf(first),
    };
    const slice = straight ? straightened(this.#taken, straight, info) : this.#taken;
    const preview = straight ? coarsened(info, slice) : previewOf(info, this.#coarse!, previewFactor, offset);
    return { info, slice, preview };
  }

  #taken = (place: number): Int16Array => {
    const slice = this.#shelf.get(place);
    const change = this.#offset - (this.#offsets[place] ?? 0);
    return change === 0 ? slice : slice.map((value) => value - change);
  };
}

type Take = (place: number) => Int16Array;

function straightened(taken: Take, straight: Upright, { columns, rows, min }: VolumeInfo): Take {
  const target = new Int16Array(columns * rows);
  return (place) => {
    straight.straighten(taken(place), place, target, min);
    return target;
  };
}

/** Builds the preview of straightened planes, whose grid is known only once all are there. */
function coarsened(info: VolumeInfo, slice: Take): Volume {
  const coarse = new Coarsening(info, previewFactor);
  for (let place = 0; place < info.slices; place++) coarse.add(slice(place));
  return previewOf(info, coarse, previewFactor);
}

/** About a million values, evenly taken. */
class Samples {
  #step: number;
  #next = 0;
  #taken: number[] = [];

  constructor(length: number) {
    this.#step = Math.max(1, Math.floor(length / 1_000_000) | 1);
  }

  add(values: GreyData): void {
    for (; this.#next < values.length; this.#next += this.#step) this.#taken.push(values[this.#next]);
    this.#next -= values.length;
  }

  values(): Int32Array {
    return Int32Array.from(this.#taken);
  }
}

type Grid = Pick<VolumeInfo, "columns" | "rows" | "slices" | "spacing" | "origin" | "direction">;

/** The slices as a grid at right angles; `straight` where they lean. */
function gridOf(headers: readonly DicomHeader[], slices: number): { grid: Grid; straight: Upright | null } {
  const [{ columns, rows, pixelSpacing, ...first }] = headers;
  const [row, column] = pixelSpacing ?? [1, 1];
  const orientation = first.imageOrientation ?? [1, 0, 0, 0, 1, 0];
  const planes: Slice[] = slicesOf(headers);
  const drift = planes.length === slices ? driftOf(planes, [row, column]) : null;
  const straight = drift && upright({ columns, rows }, drift);
  const { left, top } = straight ?? { left: 0, top: 0 };
  const start = planes[0]?.position ?? [0, 0, 0];
  const corner = (axis: number): number =>
    start[axis] + left * column * orientation[axis] + top * row * orientation[3 + axis];
  const grid: Grid = {
    columns: straight?.columns ?? columns,
    rows: straight?.rows ?? rows,
    slices,
    spacing: [column, row, sliceSpacing(planes) || first.sliceThickness || 1],
    origin: [corner(0), corner(1), corner(2)],
    direction: [...orientation, ...normalOf(orientation)],
  };
  return { grid, straight };
}
