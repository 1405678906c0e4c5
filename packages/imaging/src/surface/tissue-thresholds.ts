/** Grey values, as stored, that part air from soft tissue and soft tissue from bone and teeth. */
export interface TissueThresholds {
  soft: number;
  hard: number;
  /** Nearly the densest: enamel, metal. */
  dense: number;
}

/**
 * Returns the threshold of crowns: half way from soft tissue and air to enamel, so that their surface neither swells
 * nor shrinks.
 */
export const computeCrownThreshold = ({ hard, dense }: TissueThresholds): number => Math.round((hard + dense) / 2);

const bins = 256;

/**
 * Thresholds from the volume's own histogram, since cone-beam grey values are not the same on every machine:
 * the two that part it into three classes best. Source: N. Otsu, A threshold selection method from gray-level histograms, 1979.
 * @param values grey values of a volume or its preview
 */
export function computeTissueThresholds(values: Int16Array): TissueThresholds {
  const { counts, low, width } = computeHistogram(values);
  const [weight, sum] = [new Float64Array(bins + 1), new Float64Array(bins + 1)];
  for (let bin = 0; bin < bins; bin++) {
    weight[bin + 1] = weight[bin] + counts[bin];
    sum[bin + 1] = sum[bin] + counts[bin] * bin;
  }
  const part = (from: number, to: number): number => {
    const heavy = weight[to] - weight[from];
    return heavy > 0 ? (sum[to] - sum[from]) ** 2 / heavy : 0;
  };
  let best = -1;
  let [first, second] = [bins / 3, (2 * bins) / 3];
  for (let a = 1; a < bins - 1; a++)
    for (let b = a + 1; b < bins; b++) {
      const between = part(0, a) + part(a, b) + part(b, bins);
      if (between <= best) continue;
      [best, first, second] = [between, a, b];
    }
  const [soft, hard] = [low + first * width, low + second * width];
  const top = low + bins * width;
  return { soft: Math.round(soft), hard: Math.round(hard), dense: Math.round(hard + 0.45 * (top - hard)) };
}

/**
 * Counts the values between the lowest and highest thousandth: metal and noise would otherwise take most of the bins.
 */
function computeHistogram(values: Int16Array): { counts: Float64Array; low: number; width: number } {
  const all = new Uint32Array(65536);
  const step = Math.max(1, Math.floor(values.length / 2_000_000) | 1);
  let sampledCount = 0;
  for (let at = 0; at < values.length; at += step, sampledCount++) all[values[at] + 32768]++;
  const low = findQuantile(all, sampledCount * 0.001);
  const high = Math.max(low + 1, findQuantile(all, sampledCount * 0.999));
  const width = (high - low) / bins;
  const counts = new Float64Array(bins);
  for (let value = low; value <= high; value++)
    counts[Math.min(bins - 1, Math.floor((value - low) / width))] += all[value + 32768];
  return { counts, low, width };
}

function findQuantile(all: Uint32Array, wanted: number): number {
  let sum = 0;
  for (let at = 0; at < all.length; at++) {
    sum += all[at];
    if (sum > wanted) return at - 32768;
  }
  return 32767;
}
