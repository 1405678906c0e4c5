import { DicomError } from "../dicom/dicom-error.ts";
import type { GreyFrame } from "../dicom/pixels/grey-frame.ts";
import { readDicomHeader, type DicomHeader } from "../dicom/parse/dicom-header.ts";
import { decodeFrame, greyOf } from "../dicom/pixels/decode-frame.ts";
import type { Scaling } from "../dicom/pixels/read-voi.ts";
import { findRange, computeVolumeWindow, type GreyData, type VoiWindow } from "../image/voi-window.ts";
import { saturatesHardTissue } from "./hard-tissue-saturation.ts";
import { Downsampler } from "./downsampler.ts";
import { finishPreview } from "./volume-preview.ts";
import { measureDrift, rectifyStack, type RectifiedGrid } from "./gantry-tilt.ts";
import { sliceNormal, sortSlices, sliceSpacing, type Slice } from "./slice-geometry.ts";
import type { Volume, VolumeInfo } from "./volume.ts";
import type { DicomFile } from "../dicom/parse/dicom-file.ts";

/** A store for decoded slices of one size that wait to be packed: in memory, or in a file. */
export interface SliceStore {
  put(index: number, slice: Int16Array): void;
  /** May answer the same array again and again. */
  get(index: number): Int16Array;
}

/** A volume of which no more than a slice needs to be in memory. */
export interface StackedVolume {
  info: VolumeInfo;
  preview: Volume;
  /** `[row][column]`, after the modality transformation; valid until the next call. */
  slice: (index: number) => Int16Array;
}

/**
 * Decodes the slices of a volume group in the group's order and puts them into the slice store; see `buildVolume`.
 * @param expected the number of files
 */
export async function stackVolume(
  files: Iterable<DicomFile> | AsyncIterable<DicomFile>,
  expected: number,
  store: SliceStore,
): Promise<StackedVolume> {
  const stacker = new VolumeStacker(expected, store);
  for await (const file of files) await stacker.addFile(file);
  return stacker.finish();
}

const previewFactor = 4;

/** Gathers slices and keeps their values within 16 bits. */
class VolumeStacker {
  #expected: number;
  #shelf: SliceStore;
  #headers: DicomHeader[] = [];
  #coarse: Downsampler | null = null;
  #window: VoiWindow | null = null;
  #samples: ValueSampler | null = null;
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

  constructor(expected: number, store: SliceStore) {
    this.#expected = expected;
    this.#shelf = store;
  }

  async addFile(file: DicomFile): Promise<void> {
    const header = readDicomHeader(file);
    const first = this.#headers[0] ?? header;
    if (header.rows !== first.rows || header.columns !== first.columns)
      throw new DicomError("unsupported", "slices of different size");
    if (this.#headers.length > 0 && header.frames > 1)
      throw new DicomError("unsupported", "several multi-frame files for one volume");
    this.#headers.push(header);
    const frames = header.frames > 1 ? sortSlices([header]).map(({ frame }) => frame) : [0];
    this.#coarse ??= new Downsampler(header, previewFactor);
    this.#samples ??= new ValueSampler(header.rows * header.columns * Math.max(frames.length, this.#expected));
    for (const frame of frames) this.#addFrame(greyOf(file, await decodeFrame(file, frame), frame));
  }

  #addFrame(grey: GreyFrame): void {
    const { scale, offset } = (this.#scaling ??= { scale: grey.scale, offset: grey.offset });
    if (grey.scale === scale && grey.offset === offset) {
      if (grey.hasFileWindow) this.#window ??= grey.window;
      return this.#addSlice(grey.data, grey.min, grey.max);
    }
    const data = Int32Array.from(grey.data, (value) => Math.round((value * grey.scale + grey.offset - offset) / scale));
    const { min, max } = findRange(data);
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
    const isUsed = own !== null && !(first.modality === "CT" && saturatesHardTissue(own, samples));
    const window = isUsed ? own : computeVolumeWindow(samples);
    const scaling = this.#scaling ?? { scale: 1, offset: 0 };
    const { grid, rectified } = computeGrid(this.#headers, this.#offsets.length);
    const info: VolumeInfo = {
      ...grid,
      min: this.#min - offset,
      max: this.#max - offset,
      window: { ...window, center: window.center - offset },
      ...(own && !isUsed && { fileWindow: { ...own, center: own.center - offset } }),
      valueOffset: offset * scaling.scale + scaling.offset,
      valueScale: scaling.scale,
      valueName: determineValueName(first),
    };
    const slice = rectified ? rectifySlices(this.#taken, rectified, info) : this.#taken;
    const preview = rectified
      ? buildRectifiedPreview(info, slice)
      : finishPreview(info, this.#coarse!, previewFactor, offset);
    return { info, slice, preview };
  }

  #taken = (index: number): Int16Array => {
    const slice = this.#shelf.get(index);
    const change = this.#offset - (this.#offsets[index] ?? 0);
    return change === 0 ? slice : slice.map((value) => value - change);
  };
}

/** Only whole-body fan-beam scanners are calibrated in Hounsfield units; dental cone-beam devices write "CT" and "HU" too. */
function determineValueName(header: DicomHeader): VolumeInfo["valueName"] {
  const isCt = header.modality === "CT" && /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.2(\.1)?$/.test(header.sopClassUid);
  const maker = `${header.manufacturer} ${header.model}`;
  return isCt && fanBeamMakers.test(maker) && !/dental|cbct|cone/i.test(maker) ? "HU" : "grey";
}

const fanBeamMakers =
  /\b(GE MEDICAL|GE HEALTHCARE|SIEMENS|PHILIPS|TOSHIBA|CANON|HITACHI|FUJIFILM|UIH|UNITED IMAGING|NEUSOFT)\b/i;

type ReadSlice = (index: number) => Int16Array;

function rectifySlices(readSlice: ReadSlice, rectified: RectifiedGrid, { columns, rows, min }: VolumeInfo): ReadSlice {
  const target = new Int16Array(columns * rows);
  return (index) => {
    rectified.straighten(readSlice(index), index, target, min);
    return target;
  };
}

/** Builds the preview of straightened planes, whose grid is known only after all have arrived. */
function buildRectifiedPreview(info: VolumeInfo, slice: ReadSlice): Volume {
  const coarse = new Downsampler(info, previewFactor);
  for (let index = 0; index < info.slices; index++) coarse.add(slice(index));
  return finishPreview(info, coarse, previewFactor);
}

/** About a million values, evenly taken. */
class ValueSampler {
  #step: number;
  #next = 0;
  #taken: Int32Array;
  #count = 0;

  constructor(length: number) {
    this.#step = Math.max(1, Math.floor(length / 1_000_000) | 1);
    // A header may claim any number of frames.
    this.#taken = new Int32Array(Math.min(2_000_000, Math.ceil(length / this.#step)));
  }

  add(values: GreyData): void {
    const needed = this.#count + Math.ceil((values.length - this.#next) / this.#step);
    if (needed > this.#taken.length) this.#grow(needed);
    const taken = this.#taken;
    let [next, count] = [this.#next, this.#count];
    for (; next < values.length; next += this.#step) taken[count++] = values[next];
    this.#count = count;
    this.#next = next - values.length;
  }

  /** Makes space for slices beyond the expected number. */
  #grow(needed: number): void {
    const wider = new Int32Array(Math.max(needed, this.#taken.length * 2));
    wider.set(this.#taken);
    this.#taken = wider;
  }

  values(): Int32Array {
    return this.#taken.subarray(0, this.#count);
  }
}

type VolumeGrid = Pick<VolumeInfo, "columns" | "rows" | "slices" | "spacing" | "origin" | "direction">;

/** The slices as a grid at right angles; `straight` where they lean. */
function computeGrid(
  headers: readonly DicomHeader[],
  slices: number,
): { grid: VolumeGrid; rectified: RectifiedGrid | null } {
  const [{ columns, rows, pixelSpacing, ...first }] = headers;
  const [row, column] = pixelSpacing ?? [1, 1];
  const orientation = first.imageOrientation ?? [1, 0, 0, 0, 1, 0];
  const planes: Slice[] = sortSlices(headers);
  const drift = planes.length === slices ? measureDrift(planes, [row, column]) : null;
  const rectified = drift && rectifyStack({ columns, rows }, drift);
  const { left, top } = rectified ?? { left: 0, top: 0 };
  const start = planes[0]?.position ?? [0, 0, 0];
  const corner = (axis: number): number =>
    start[axis] + left * column * orientation[axis] + top * row * orientation[3 + axis];
  const grid: VolumeGrid = {
    columns: rectified?.columns ?? columns,
    rows: rectified?.rows ?? rows,
    slices,
    spacing: [column, row, sliceSpacing(planes) || first.sliceThickness || 1],
    origin: [corner(0), corner(1), corner(2)],
    direction: [...orientation, ...sliceNormal(orientation)],
  };
  return { grid, rectified };
}
