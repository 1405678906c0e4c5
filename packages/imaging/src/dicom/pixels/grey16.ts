import { findRange } from "../../image/voi-window.ts";
import { quantiseTo16Bits } from "./quantise.ts";
import type { GreyFrame } from "./grey-frame.ts";
import { scaleWindow } from "./read-voi.ts";

/** A frame for viewers, which take 16 bits. */
export type Grey16 = GreyFrame & { data: Int16Array | Uint16Array };

/** Returns the same frame in 16 bits: a wider range is quantised, and the frame states its scale. */
export function toGrey16(grey: GreyFrame): Grey16 {
  if (!(grey.data instanceof Int32Array)) return { ...grey, data: grey.data };
  return quantiseFrame(grey, grey.data, { ...grey, isWhole: true });
}

/** Frames of one image, converted to one kind of number and one scale if theirs differ. */
export function unifyScale(frames: readonly Grey16[]): Grey16[] {
  const [first] = frames;
  if (first === undefined || frames.every((frame) => hasSameScale(frame, first))) return [...frames];
  const values = frames.map(({ data, scale, offset }) => Float64Array.from(data, (value) => value * scale + offset));
  const ranges = values.map(findRange);
  const range = {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
    isWhole: frames.every(({ scale, offset }) => Number.isInteger(scale) && Number.isInteger(offset)),
  };
  return frames.map((frame, at) => {
    const window = scaleWindow(frame.window, { scale: 1 / frame.scale, offset: -frame.offset / frame.scale });
    return quantiseFrame({ ...frame, window, scale: 1, offset: 0 }, values[at], range);
  });
}

const hasSameScale = (one: Grey16, other: Grey16): boolean =>
  one.scale === other.scale && one.offset === other.offset && one.data.constructor === other.data.constructor;

function quantiseFrame(
  grey: GreyFrame,
  values: Int32Array | Float64Array,
  range: { min: number; max: number; isWhole: boolean },
): Grey16 {
  const { values: quantized, scale, offset } = quantiseTo16Bits(values, range);
  const data = Int16Array.from(quantized);
  return {
    ...grey,
    ...findRange(data),
    data,
    window: scaleWindow(grey.window, { scale, offset }),
    scale: grey.scale * scale,
    offset: grey.offset + grey.scale * offset,
  };
}
