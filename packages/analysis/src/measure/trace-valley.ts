import { parabolaHeightAt, type Parabola } from "./fit-parabola.ts";
import { percentiles, type Grid } from "./pixel-grid.ts";

// Traces a dark valley across an image: a row for each column by dynamic programming, and a parabola by hill climbing.

/** Columns on either side of the middle; `xs` from the middle. */
export interface Span {
  first: number;
  xs: readonly number[];
}

export function createSpan(columns: number, halfWidth: number): Span {
  const first = Math.round(columns * (0.5 - halfWidth));
  return { first, xs: Array.from({ length: columns - 2 * first }, (_, index) => first + index + 0.5 - columns / 2) };
}

export const pixelCentre = (row: number): number => row + 0.5;

/** The cost of a line's distance from a height: the squared distance in rows, times `penaltyPerPixel`. */
interface Prior {
  penaltyPerPixel: number;
  expectedHeight: (x: number) => number;
}

export const createPrior = (fit: Parabola, columns: number): Prior => ({
  penaltyPerPixel: 40 / columns,
  expectedHeight: (x) => parabolaHeightAt(fit, x),
});

/** The line of most valley over the columns; it leaves a row for a neighbour at a price. */
export function bestRowPath(
  { columns, rows, data }: Grid,
  { first, xs }: Span,
  { penaltyPerPixel, expectedHeight }: Prior,
): Float32Array {
  const count = xs.length;
  const steps = new Int8Array(rows * count);
  // Beyond the first and the last row nothing is reached.
  let [previousRow, currentRow] = [0, 1].map(() => new Float32Array(rows + 2 * maxRowStep).fill(-Infinity));
  previousRow.fill(0, maxRowStep, rows + maxRowStep);
  for (let index = 0; index < count; index++) {
    const height = expectedHeight(xs[index]);
    for (let row = 0; row < rows; row++) {
      let [bestValue, step] = [-Infinity, 0];
      for (let rowStep = index === 0 ? 0 : -maxRowStep, end = -rowStep; rowStep <= end; rowStep++) {
        const value = previousRow[row + maxRowStep + rowStep] - rowStepCost * rowStep * rowStep;
        if (value > bestValue) [bestValue, step] = [value, rowStep];
      }
      const deviation = penaltyPerPixel * (pixelCentre(row) - height);
      currentRow[row + maxRowStep] = data[row * columns + first + index] - deviation * deviation + bestValue;
      steps[index * rows + row] = step;
    }
    [previousRow, currentRow] = [currentRow, previousRow];
  }
  const line = new Float32Array(count);
  let row = 0;
  for (let candidateRow = 1; candidateRow < rows; candidateRow++)
    if (previousRow[candidateRow + maxRowStep] > previousRow[row + maxRowStep]) row = candidateRow;
  for (let index = count - 1; index >= 0; index--) {
    line[index] = row;
    row += steps[index * rows + row];
  }
  return line;
}

const maxRowStep = 2;
const rowStepCost = 0.25;

export function depthsAlong(
  { columns, rows, data }: Grid,
  { first, xs }: Span,
  fit: Parabola,
  depths: Float32Array = new Float32Array(xs.length),
): Float32Array {
  for (let index = 0; index < xs.length; index++) {
    const row = Math.round(parabolaHeightAt(fit, xs[index]) - 0.5);
    depths[index] = row >= 0 && row < rows ? data[row * columns + first + index] : 0;
  }
  return depths;
}

/**
 * Returns the parabola, near a first one, that has valley in most columns: a deep valley in a few of them, such as the
 * gap of a missing tooth, counts no more than the rest.
 */
export function climbToDeepestValley(valleyDepth: Grid, span: Span, start: Parabola): Parabola {
  const depths = depthsAlong(valleyDepth, span, start);
  const depthCap = Math.max(0.1, 0.45 * percentiles(depths, [0.5])[0]);
  const score = (fit: Parabola): number => {
    depthsAlong(valleyDepth, span, fit, depths);
    let sum = 0;
    for (let index = 0; index < depths.length; index++) sum += Math.min(depthCap, depths[index]);
    return sum;
  };
  const starts = [-0.08, -0.04, 0, 0.04, 0.08].flatMap((slope) =>
    [0, -0.35, 0.35].map((bend) => ({
      ...start,
      slope: start.slope + slope,
      bend: start.bend + bend / valleyDepth.columns,
    })),
  );
  const candidates = starts.map((candidate) => hillClimb(candidate, valleyDepth.columns, score));
  return candidates.reduce((candidate, other) => (score(other) > score(candidate) ? other : candidate));
}

/** The best parabola near this one, by small steps in each of its numbers. */
function hillClimb(start: Parabola, columns: number, score: (fit: Parabola) => number): Parabola {
  let best = start;
  let bestScore = score(start);
  const steps = [
    ["height", 0.012 * columns],
    ["slope", 0.05],
    ["bend", 0.25 / columns],
  ] as const;
  for (let size = 1; size > 0.05; size /= 2)
    for (let better = true, rounds = 0; better && rounds < 8; rounds++) {
      better = false;
      for (const [key, step] of steps)
        for (const sign of [-1, 1]) {
          const trialFit = { ...best, [key]: best[key] + sign * step * size };
          const trialScore = score(trialFit);
          if (trialScore > bestScore + 1e-6) [best, bestScore, better] = [trialFit, trialScore, true];
        }
    }
  return best;
}
