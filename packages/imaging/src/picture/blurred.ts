/** 16-bit grey values, or 8-bit ones of several channels. */
type Pixels = Int16Array | Uint16Array | Uint8ClampedArray<ArrayBuffer>;

/**
 * The picture out of focus: a binomial filter of nine pixels in both directions (σ = √2 pixels); at the edges the last
 * pixel goes on. What a picture has beyond it is what sharpening adds once more (unsharp mask).
 * @param data `[row][column][channel]`
 */
export function blurred<P extends Pixels>(data: P, columns: number, rows: number, channels = 1): P {
  const wide = new Float32Array(data.length);
  const out = data.slice() as P;
  along(data, wide, { lines: rows, line: columns * channels, count: columns, step: channels, channels });
  along(wide, out, { lines: columns, line: channels, count: rows, step: columns * channels, channels });
  return out;
}

const weights = [70, 56, 28, 8, 1] as const;

interface Way {
  /** How many lines, and how far one begins after the other. */
  lines: number;
  line: number;
  /** Pixels of a line, and how far one lies from the next. */
  count: number;
  step: number;
  channels: number;
}

function along(from: Pixels | Float32Array, to: Pixels | Float32Array, way: Way): void {
  const { lines, line, count, step, channels } = way;
  const isWhole = !(to instanceof Float32Array);
  for (let one = 0; one < lines; one++)
    for (let channel = 0; channel < channels; channel++) {
      const start = one * line + channel;
      for (let at = 0; at < count; at++) {
        let sum = weights[0] * (from[start + at * step] ?? 0);
        for (let far = 1; far < weights.length; far++) {
          const [before, after] = [Math.max(0, at - far), Math.min(count - 1, at + far)];
          sum += weights[far]! * ((from[start + before * step] ?? 0) + (from[start + after * step] ?? 0));
        }
        to[start + at * step] = isWhole ? Math.round(sum / 256) : sum / 256;
      }
    }
}
