/** Grey values of a picture or a slice. */
export type GreyData = Int16Array | Uint16Array | Int32Array;

/** In grey values: what is shown from black to white. */
export interface Window {
  center: number;
  width: number;
}

/**
 * Grey values as 8-bit display values by the linear VOI function.
 * Source: PS3.3 C.11.2.1.2.1, LINEAR (not LINEAR_EXACT); `inverted` shows low values white (MONOCHROME1).
 */
export function toGrey8(
  grey: { readonly data: GreyData },
  { center, width, inverted }: Window & { inverted: boolean },
): Uint8Array {
  const { data } = grey;
  const out = new Uint8Array(data.length);
  const table = windowTable(center, width, inverted);
  for (let at = 0; at < data.length; at++) {
    const index = data[at] - table.first;
    out[at] = index < 0 ? table.below : index < table.bytes.length ? table.bytes[index] : table.above;
  }
  return out;
}

/** Display values of the whole numbers from `first` on that lie within the window. */
export function windowTable(
  center: number,
  width: number,
  inverted: boolean,
): { first: number; bytes: Uint8Array; below: number; above: number } {
  const wide = Math.max(1, width);
  const low = center - 0.5 - (wide - 1) / 2;
  const first = Math.floor(low) + 1;
  const length = Math.max(0, Math.floor(low + wide - 1) - first + 1);
  const flip = (value: number) => (inverted ? 255 - value : value);
  const bytes = Uint8Array.from({ length }, (_, index) =>
    flip(Math.round(((first + index - (center - 0.5)) / (wide - 1) + 0.5) * 255)),
  );
  return { first, bytes, below: flip(0), above: flip(255) };
}

/** Counts of grey values: bin `i` holds the values from `min + i * step`, `step` being a whole number. */
export interface Histogram {
  min: number;
  step: number;
  counts: Uint32Array;
}

/** A histogram with at most `bins` bins; one for each value where the range allows. */
export function histogram(data: GreyData, bins = 65536): Histogram {
  let [min, max] = [data[0] ?? 0, data[0] ?? 0];
  for (let at = 1; at < data.length; at++) {
    if (data[at] < min) min = data[at];
    else if (data[at] > max) max = data[at];
  }
  const step = Math.ceil((max - min + 1) / bins);
  const counts = new Uint32Array(Math.floor((max - min) / step) + 1);
  for (let at = 0; at < data.length; at++) counts[Math.floor((data[at] - min) / step)]++;
  return { min, step, counts };
}

/**
 * A window over the 0.5 to 99.5 percentiles of what is not background.
 * Background is the lowest and the highest value where more than 1 % of the picture has exactly that one: unexposed plate, collimation, saturation.
 */
export function autoWindow(data: GreyData): Window {
  const { min, step, counts } = histogram(data);
  const kept = counts.slice();
  for (const end of [0, kept.length - 1]) if (kept[end] > data.length / 100) kept[end] = 0;
  const total = kept.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { center: min + (counts.length * step) / 2, width: Math.max(2, counts.length * step) };
  const low = min + percentileBin(kept, total * 0.005) * step;
  const high = min + (percentileBin(kept, total * 0.995) + 1) * step - 1;
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
