import { findPixelElement, readPixelShape } from "./pixel-shape.ts";
import { readNativeFrame } from "./native-frame.ts";
import { toFloats, type RawData } from "./pixel-samples.ts";
import { tags } from "../parse/tags.ts";
import type { Scaling } from "./read-voi.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

interface ValueRange {
  min: number;
  max: number;
  /** All values are whole numbers. */
  isWhole?: boolean;
}

/**
 * Values as whole numbers from −32768 to 32767, with the scale and offset that restore the values to 1/65535 of the
 * range; unchanged if they are such numbers already. Values outside the range, and NaN, become an end of the range.
 */
export function quantiseTo16Bits(
  data: RawData,
  { min, max, isWhole = false }: ValueRange,
): Scaling & { values: RawData } {
  const values = new Float64Array(data.length);
  const isUnchanged = isWhole && min >= -32768 && max <= 32767;
  const step = (max - min) / 65535;
  const scale = isUnchanged || step === 0 ? 1 : isWhole ? Math.max(1, step) : step;
  const offset = isUnchanged ? 0 : min + scale * 32768;
  for (let at = 0; at < data.length; at++) {
    const value = Math.round((data[at] - offset) / scale);
    values[at] = value >= -32768 ? Math.min(32767, value) : -32768;
  }
  return { values, scale, offset };
}

const rangeCache = new WeakMap<DicomFile, ValueRange>();

/** The range of all frames of a file with floating-point pixels, without padding and NaN. */
export function findFloatRange(file: DicomFile): ValueRange {
  const found = rangeCache.get(file) ?? computeFloatRange(file);
  rangeCache.set(file, found);
  return found;
}

function computeFloatRange(file: DicomFile): ValueRange {
  const { frames, bitsAllocated } = readPixelShape(file);
  const padding = file.number(
    findPixelElement(file)?.tag === tags.floatPixels ? tags.floatPadding : tags.doublePadding,
  );
  let [min, max, isWhole] = [Infinity, -Infinity, true];
  for (let frame = 0; frame < frames; frame++)
    for (const value of toFloats(readNativeFrame(file, frame), bitsAllocated)) {
      if (!Number.isFinite(value) || value === padding) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      isWhole &&= Number.isInteger(value);
    }
  return min > max ? { min: 0, max: 0, isWhole: true } : { min, max, isWhole };
}
