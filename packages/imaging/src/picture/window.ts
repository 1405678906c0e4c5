/** Grey values of an image or a slice. */
export type GreyData = Int16Array | Uint16Array | Int32Array;

/** In grey values: the range shown from black to white. */
export interface Window {
  center: number;
  width: number;
  /** The VOI function; LINEAR where it is absent. */
  shape?: "linearExact" | "sigmoid" | "table";
  /** With "table": shades, a byte each in base64, spread evenly over the window. */
  table?: string;
}

/**
 * The shade of a grey value, 0 (black) to 255 (white), not rounded. Source: PS3.3 C.11.2.1.2 and C.11.2.1.3: LINEAR,
 * LINEAR_EXACT, SIGMOID, or a look-up table whose first and last shades continue outside.
 */
export function toneOf({ center, width, shape, table }: Window): (value: number) => number {
  if (shape === "sigmoid") return (value) => 255 / (1 + Math.exp((-4 * (value - center)) / width));
  if (shape === "table") return tabled(tableBytes(table ?? ""), center - width / 2, width);
  return shape === "linearExact" ? ramp(center, Math.max(0, width)) : ramp(center - 0.5, Math.max(1, width) - 1);
}

const ramp = (middle: number, width: number) => (value: number) =>
  value <= middle - width / 2 ? 0 : value > middle + width / 2 ? 255 : ((value - middle) / width + 0.5) * 255;

/** The shades of a window of the shape "table". */
export const tableBytes = (table: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(table), (letter) => letter.charCodeAt(0));

function tabled(shades: Uint8Array, first: number, width: number): (value: number) => number {
  const last = shades.length - 1;
  // Whole numbers divided and multiplied again may fall just short of themselves.
  const place = (value: number) => Math.floor(((value - first) / width) * shades.length + 1e-6);
  return (value) => shades[Math.min(last, Math.max(0, place(value)))] ?? 0;
}

/** A window and which way it is shown: `inverted` shows low values white (MONOCHROME1); a gamma above 1 brings what is dark on the screen nearer to white. */
export type Toning = Window & { inverted: boolean; gamma?: number };

/** Display values of 8 bits for the whole numbers from `low` to `high`. */
export function toneTable(toning: Toning, low: number, high: number): Uint8Array {
  const shade = shadeOf(toning);
  return Uint8Array.from({ length: high - low + 1 }, (_, at) => shade(low + at));
}

function shadeOf(toning: Toning): (value: number) => number {
  const tone = toneOf(toning);
  const { inverted, gamma = 1 } = toning;
  if (gamma === 1) return (value) => (inverted ? 255 - Math.round(tone(value)) : Math.round(tone(value)));
  return (value) => Math.round(255 * ((inverted ? 255 - tone(value) : tone(value)) / 255) ** (1 / gamma));
}

/** Grey values as display values of 8 bits. */
export function toGrey8({ data }: { readonly data: GreyData }, toning: Toning): Uint8Array {
  const { min, max } = rangeOf(data);
  const out = new Uint8Array(data.length);
  if (max - min > widestTable) {
    const shade = shadeOf(toning);
    for (let at = 0; at < data.length; at++) out[at] = shade(data[at]);
    return out;
  }
  const table = toneTable(toning, min, max);
  for (let at = 0; at < data.length; at++) out[at] = table[data[at] - min];
  return out;
}

const widestTable = 1 << 17;

/** The lowest and the highest of some values; 0 where there are none. */
export function rangeOf(data: ArrayLike<number>): { min: number; max: number } {
  let [min, max] = [data[0] ?? 0, data[0] ?? 0];
  for (let at = 1; at < data.length; at++) {
    const value = data[at];
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/**
 * Values at even steps, about `most` of them: enough for a histogram or a window, and quick in an image of any size.
 */
export function sampled<D extends Int16Array | Uint16Array>(data: D, most = 1 << 18): D {
  if (data.length <= most) return data;
  // An odd step that no usual width is a multiple of: an even one would take the same columns of every row.
  const step = Math.ceil(data.length / most) | 1;
  const out = data.slice(0, Math.floor((data.length - 1) / step) + 1) as D;
  for (let at = 0; at < out.length; at++) out[at] = data[at * step]!;
  return out;
}

/** Counts of grey values: bin `i` holds the values from `min + i * step`, `step` being a whole number. */
export interface Histogram {
  min: number;
  step: number;
  counts: Uint32Array;
}

/** A histogram with at most `bins` bins; one for each value where the range allows. */
export function histogram(data: GreyData, bins = 65536): Histogram {
  const { min, max } = rangeOf(data);
  const step = Math.ceil((max - min + 1) / bins);
  const counts = new Uint32Array(Math.floor((max - min) / step) + 1);
  for (let at = 0; at < data.length; at++) counts[Math.floor((data[at] - min) / step)]++;
  return { min, step, counts };
}

/**
 * A window over the 0.5 to 99.5 percentiles of everything but background. Background is the lowest and the highest
 * value if more than 1 % of the image has exactly that one: unexposed plate, collimation, saturation.
 */
export function autoWindow(data: GreyData): Window {
  return percentileWindow(data, 0.995);
}

/**
 * A window for a volume of the jaws, over the 0.5 to 99.95 percentiles of what is not background. Teeth are about 1 % of
 * such a volume: the upper end of `autoWindow` would show dentine and enamel as one white.
 */
export function volumeWindow(data: GreyData): Window {
  return percentileWindow(data, 0.9995);
}

/** @param upper the share of the values, without background, that is not brighter than white */
function percentileWindow(data: GreyData, upper: number): Window {
  const { min, step, counts } = histogram(data);
  const kept = counts.slice();
  for (const end of [0, kept.length - 1]) if (kept[end] > data.length / 100) kept[end] = 0;
  const total = kept.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { center: min + (counts.length * step) / 2, width: Math.max(2, counts.length * step) };
  const low = min + percentileBin(kept, total * 0.005) * step;
  const high = min + (percentileBin(kept, total * upper) + 1) * step - 1;
  return { center: (low + high + 1) / 2, width: Math.max(2, high - low + 1) };
}

function percentileBin(counts: Uint32Array, rank: number): number {
  let sum = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    sum += counts[bin];
    if (sum > rank) return bin;
  }
  return counts.length - 1;
}
