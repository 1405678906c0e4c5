import { computeAutoWindow, findRange, type GreyData, type VoiWindow } from "../../image/voi-window.ts";
import { DicomError } from "../dicom-error.ts";
import { quantiseTo16Bits, findFloatRange } from "./quantise.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import { applyLut, readLut } from "./lut.ts";
import { floatPixelBits } from "./pixel-shape.ts";
import type { RawData, RawFrame } from "./pixel-samples.ts";
import { tags, type Tag } from "../parse/tags.ts";
import { scaleWindow, readVoiWindow, type Scaling } from "./read-voi.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** One frame as grey values (after the modality transformation), for showing and measuring. */
export interface GreyFrame extends Scaling {
  rows: number;
  columns: number;
  /** `[row][column]`; the grey value is data × scale + offset. Int32Array only where no 16-bit type holds the range. */
  data: GreyData;
  /** The range of `data`. */
  min: number;
  max: number;
  /** True for MONOCHROME1: low values are shown white. */
  inverted: boolean;
  /** In terms of the data. Found in the values when it is first asked for, if the file has none. */
  readonly window: VoiWindow;
  /** False where the file has no window and this one was found in the values. */
  hasFileWindow: boolean;
}

/**
 * Applies the modality look-up table, else rescale slope and intercept (PS3.3 C.11.1: the table wins). If slope and
 * intercept are whole numbers, the data are the grey values; otherwise the stored values stay and the frame states its
 * scale.
 * @param frame counted from 0; enhanced images have a transformation for each.
 * @throws DicomError unsupported for colour.
 */
export function toGreyFrame(file: DicomFile, raw: RawFrame, frame = 0): GreyFrame {
  if (raw.samples !== 1 || raw.photometric === "PALETTE COLOR")
    throw new DicomError("unsupported", `${raw.photometric} is not grey`);
  const { values, ...scaling } = applyModalityTransformation(file, raw, frame);
  const { min, max } = findRange(values);
  const data = toNarrowestType(values, min, max);
  const signed = Math.min(min * scaling.scale, max * scaling.scale) + scaling.offset < 0;
  const own = readVoiWindow(findFunctionalGroup(file, frame, tags.frameVoiLutSequence), signed);
  let window = own && scaleWindow(own, scaling);
  return {
    rows: raw.rows,
    columns: raw.columns,
    data,
    min,
    max,
    ...scaling,
    inverted: raw.photometric === "MONOCHROME1",
    // A volume has a window of its own and asks none of its slices for one.
    get window() {
      return (window ??= computeAutoWindow(data));
    },
    hasFileWindow: own !== null,
  };
}

/** Returns the item that holds a functional group: that of the frame, else the shared one, else the image itself. */
function findFunctionalGroup(file: DicomItem, frame: number, tag: Tag): DicomItem {
  const own = file.sequence(tags.perFrameGroups)[frame]?.sequence(tag)[0];
  return own ?? file.sequence(tags.sharedGroups)[0]?.sequence(tag)[0] ?? file;
}

interface ScaledValues extends Scaling {
  values: RawData;
}

function applyModalityTransformation(file: DicomFile, raw: RawFrame, frame: number): ScaledValues {
  const lut = file.sequence(tags.modalityLutSequence)[0];
  if (lut !== undefined && floatPixelBits(file) === 0)
    return { values: applyLut(raw.data, readLut(lut, raw.signed)), scale: 1, offset: 0 };
  const transformation = findFunctionalGroup(file, frame, tags.pixelValueTransformation);
  // A slope of 0 would erase the image; devices write it for "none".
  const slope = transformation.number(tags.rescaleSlope) || 1;
  const intercept = transformation.number(tags.rescaleIntercept) ?? 0;
  return floatPixelBits(file) === 0
    ? rescale(raw.data, slope, intercept)
    : quantiseFloats(file, raw.data, slope, intercept);
}

function rescale(data: RawData, slope: number, intercept: number): ScaledValues {
  if (slope === 1 && intercept === 0) return { values: data, scale: 1, offset: 0 };
  if (Number.isInteger(slope) && Number.isInteger(intercept))
    return { values: applyLinear(data, slope, intercept), scale: 1, offset: 0 };
  // Higher data must be higher values, whatever the sign of the slope.
  const values = slope < 0 ? Float64Array.from(data, (value) => -value) : data;
  return { values, scale: Math.abs(slope), offset: intercept };
}

function applyLinear(data: RawData, slope: number, intercept: number): RawData {
  const fits = data.BYTES_PER_ELEMENT <= 2 && Math.abs(slope) < 30_000 && Math.abs(intercept) < 2 ** 30;
  const values = fits ? new Int32Array(data.length) : new Float64Array(data.length);
  for (let at = 0; at < data.length; at++) values[at] = data[at] * slope + intercept;
  return values;
}

function quantiseFloats(file: DicomFile, data: RawData, slope: number, intercept: number): ScaledValues {
  const { values, scale, offset } = quantiseTo16Bits(data, findFloatRange(file));
  const whole = rescale(values, slope, intercept);
  if (scale === 1 && offset === 0) return whole;
  const negated = slope < 0 ? Float64Array.from(values, (value) => -value) : values;
  return { values: negated, scale: scale * Math.abs(slope), offset: offset * slope + intercept };
}

/** The range of whole numbers in the narrowest type that holds it. */
function toNarrowestType(values: RawData, min: number, max: number): GreyData {
  if (values instanceof Int16Array || values instanceof Uint16Array) return values;
  if (min >= 0 && max <= 65535) return new Uint16Array(values);
  if (min >= -32768 && max <= 32767) return new Int16Array(values);
  if (min >= -2147483648 && max <= 2147483647) return new Int32Array(values);
  throw new DicomError("unsupported", `grey values from ${min} to ${max}`);
}
