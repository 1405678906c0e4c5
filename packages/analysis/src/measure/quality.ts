import type { EnginePicture } from "../engine.ts";
import { percentiles, shadeAt, type Grid, type Shades } from "./grid.ts";
import { abstained, seen, type Measured } from "./measured.ts";

/**
 * Describes the image quality without judging it: the position of the middle grey between darkest and brightest, the
 * used share of the grey range, the steepness of edges, the clipped share, the size.
 */
export function measureQuality({ columns, rows, samples }: EnginePicture, shades: Shades): Measured {
  const [dark, middle, light] = [0.05, 0.5, 0.95].map((share) => shadeAt(shades, share));
  const span = shades.high - shades.low;
  const share = (value: number): number => (span > 0 ? (100 * value) / span : 0);
  const { sharpness, noise } = edgesOf({ columns, rows, data: samples });
  return {
    observations: [
      seen("IQ_EXPOSURE", share(middle - shades.low), { unit: "%" }),
      seen("IQ_CONTRAST", share(light - dark), { unit: "%" }),
      ...(noise > 0 ? [seen("IQ_SHARPNESS", Math.min(1000, sharpness / noise))] : []),
      seen("IQ_CLIPPED", 100 * shades.atEnds, { unit: "%" }),
      seen("IQ_SIZE", Number(((columns * rows) / 1e6).toFixed(3)), { unit: "MP" }),
    ],
    abstentions: noise > 0 ? [] : [abstained("IQ_SHARPNESS", "outOfRange", "there is no noise to measure edges by")],
  };
}

/** The steepest hundredth of the gradients, and the noise by the median of a second difference (Immerkær 1996). */
function edgesOf({ columns, rows, data }: Grid): { sharpness: number; noise: number } {
  const stride = Math.max(1, Math.floor(Math.sqrt((columns * rows) / 250_000)));
  const count = Math.max(0, Math.ceil((rows - 2) / stride)) * Math.max(0, Math.ceil((columns - 2) / stride));
  const [steep, rough] = [new Float32Array(count), new Float32Array(count)];
  let next = 0;
  for (let row = 1; row < rows - 1; row += stride)
    for (let column = 1; column < columns - 1; column += stride) {
      const at = row * columns + column;
      const [left, right, up, down] = [data[at - 1], data[at + 1], data[at - columns], data[at + columns]];
      const corners = data[at - columns - 1] + data[at - columns + 1] + data[at + columns - 1] + data[at + columns + 1];
      steep[next] = Math.sqrt((right - left) ** 2 + (down - up) ** 2) / 2;
      rough[next++] = Math.abs(corners - 2 * (left + right + up + down) + 4 * data[at]);
    }
  const [sharpness] = percentiles(steep, [0.99]);
  const [noise] = percentiles(rough, [0.5]);
  // 6: the deviation of that difference over white noise; 1.4826: from a median to a deviation.
  return { sharpness: sharpness ?? 0, noise: ((noise ?? 0) * 1.4826) / 6 };
}
