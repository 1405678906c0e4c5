/** 16-bit grey values, or 8-bit ones of several channels. */
type Pixels = Int16Array | Uint16Array | Uint8ClampedArray<ArrayBuffer>;

/**
 * The blurred image: a binomial filter of nine pixels in both directions (σ = √2 pixels); at the edges the last pixel
 * is repeated. Sharpening adds the difference between the image and this one once more (unsharp mask).
 * @param data `[row][column][channel]`
 */
export function blurImage<P extends Pixels>(data: P, columns: number, rows: number, channels = 1): P {
  const out = data.slice() as P;
  const line = columns * channels;
  const blurredRows = blurRows(data, line, rows, channels);
  for (let row = 0; row < rows; row++) {
    const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = Array.from(
      { length: 9 },
      (_, near) => Math.min(rows - 1, Math.max(0, row + near - 4)) * line,
    ) as [number, number, number, number, number, number, number, number, number];
    for (let at = 0; at < line; at++)
      out[row * line + at] = Math.round(
        (70 * blurredRows[r4 + at]! +
          56 * (blurredRows[r3 + at]! + blurredRows[r5 + at]!) +
          28 * (blurredRows[r2 + at]! + blurredRows[r6 + at]!) +
          8 * (blurredRows[r1 + at]! + blurredRows[r7 + at]!) +
          blurredRows[r0 + at]! +
          blurredRows[r8 + at]!) /
          65536,
      );
  }
  return out;
}

/** Sums of 256 weights: whole numbers below 2²⁴, which single precision holds exactly. */
function blurRows(data: Pixels, line: number, rows: number, c: number): Float32Array {
  const sums = new Float32Array(data.length);
  const reach = 4 * c;
  for (let row = 0; row < rows; row++) {
    const start = row * line;
    const end = start + line;
    const edge = (at: number) =>
      data[at < start ? start + ((at - start + reach) % c) : at < end ? at : end - c + (at % c)]!;
    for (let at = start; at < end; at++) {
      const isInside = at - reach >= start && at + reach < end;
      sums[at] = isInside
        ? 70 * data[at]! +
          56 * (data[at - c]! + data[at + c]!) +
          28 * (data[at - 2 * c]! + data[at + 2 * c]!) +
          8 * (data[at - 3 * c]! + data[at + 3 * c]!) +
          data[at - reach]! +
          data[at + reach]!
        : 70 * edge(at) +
          56 * (edge(at - c) + edge(at + c)) +
          28 * (edge(at - 2 * c) + edge(at + 2 * c)) +
          8 * (edge(at - 3 * c) + edge(at + 3 * c)) +
          edge(at - reach) +
          edge(at + reach);
    }
  }
  return sums;
}
