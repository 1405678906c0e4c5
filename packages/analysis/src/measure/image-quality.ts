import type { EngineImage } from "../engine.ts";
import { percentiles, percentileOf, type Grid, type Histogram } from "./pixel-grid.ts";
import { createAbstention, createObservation, type MeasurementResult } from "./measurement-result.ts";

/**
 * Describes the image quality without judging it: the position of the middle grey between darkest and brightest, the
 * used share of the grey range, the steepness of edges, the clipped share, the size.
 */
export function measureQuality({ columns, rows, samples }: EngineImage, histogram: Histogram): MeasurementResult {
  const [dark, middle, light] = [0.05, 0.5, 0.95].map((share) => percentileOf(histogram, share));
  const span = histogram.high - histogram.low;
  const share = (value: number): number => (span > 0 ? (100 * value) / span : 0);
  const { sharpness, noise } = measureEdges({ columns, rows, data: samples });
  return {
    observations: [
      createObservation("IQ_EXPOSURE", share(middle - histogram.low), { unit: "%" }),
      createObservation("IQ_CONTRAST", share(light - dark), { unit: "%" }),
      ...(noise > 0 ? [createObservation("IQ_SHARPNESS", Math.min(1000, sharpness / noise))] : []),
      createObservation("IQ_CLIPPED", 100 * histogram.clippedShare, { unit: "%" }),
      createObservation("IQ_SIZE", Number(((columns * rows) / 1e6).toFixed(3)), { unit: "MP" }),
    ],
    abstentions:
      noise > 0 ? [] : [createAbstention("IQ_SHARPNESS", "outOfRange", "there is no noise to measure edges by")],
  };
}

/** The steepest hundredth of the gradients, and the noise by the median of a second difference (Immerkær 1996). */
function measureEdges({ columns, rows, data }: Grid): { sharpness: number; noise: number } {
  const stride = Math.max(1, Math.floor(Math.sqrt((columns * rows) / 250_000)));
  const count = Math.max(0, Math.ceil((rows - 2) / stride)) * Math.max(0, Math.ceil((columns - 2) / stride));
  const [gradients, secondDifferences] = [new Float32Array(count), new Float32Array(count)];
  let sampleIndex = 0;
  for (let row = 1; row < rows - 1; row += stride)
    for (let column = 1; column < columns - 1; column += stride) {
      const index = row * columns + column;
      const [left, right, up, down] = [data[index - 1], data[index + 1], data[index - columns], data[index + columns]];
      const corners =
        data[index - columns - 1] + data[index - columns + 1] + data[index + columns - 1] + data[index + columns + 1];
      gradients[sampleIndex] = Math.sqrt((right - left) ** 2 + (down - up) ** 2) / 2;
      secondDifferences[sampleIndex++] = Math.abs(corners - 2 * (left + right + up + down) + 4 * data[index]);
    }
  const [sharpness] = percentiles(gradients, [0.99]);
  const [noise] = percentiles(secondDifferences, [0.5]);
  // 6: the deviation of that difference over white noise; 1.4826: from a median to a deviation.
  return { sharpness: sharpness ?? 0, noise: ((noise ?? 0) * 1.4826) / 6 };
}
