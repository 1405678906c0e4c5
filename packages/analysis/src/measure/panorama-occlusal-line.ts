import {
  bestRowPath,
  climbToDeepestValley,
  createPrior,
  createSpan,
  depthsAlong,
  pixelCentre,
  type Span,
} from "./trace-valley.ts";
import { boxBlur, median, newGrid, percentiles, type Grid } from "./pixel-grid.ts";
import { parabolaHeightAt, fitParabola, type Parabola } from "./fit-parabola.ts";

/**
 * The dark gap between the rows of teeth: a row for each column from `first` on, and the parabola that follows most of
 * it.
 */
export interface OcclusalLine {
  first: number;
  rows: Float32Array;
  /**
   * True if teeth are visible both above and below the line at this column. Elsewhere the line is a guess between such
   * columns.
   */
  isVisible: boolean[];
  fit: Parabola;
  /**
   * The share of the columns nearer the middle in which teeth are seen on both sides; `roughness` describes those columns
   * alone.
   */
  seenShare: number;
  /** Median distance from the parabola, in pixels. */
  roughness: number;
  /**
   * The darkness of the line against its surroundings above and below, weighted by how much they resemble teeth: the
   * median, and the lower quartile of the columns.
   */
  depth: { usual: number; lowerQuartile: number };
  /**
   * The depth along the same parabola at the next best height, as a share of its own depth: near 1 if there is not one
   * clear gap.
   */
  rivalDepth: number;
  /**
   * The horizontal variation of the image above and below the line, which teeth cause: 0.2 is usual, below 0.12 there
   * are no teeth.
   */
  texture: number;
}

/**
 * The gap between upper and lower teeth in a panorama that has been shrunk and locally normalised: valleys of three
 * thicknesses, joined by dynamic programming with a weak prior for the middle.
 * After Jain and Chen's integral projection, made continuous ("Matching of dental X-ray images", 2004).
 */
export function findOcclusalLine(normalisedGrid: Grid): OcclusalLine {
  const { columns, rows } = normalisedGrid;
  const texture = columnTexture(normalisedGrid);
  const toothLikelihood = estimateToothLikelihood(texture);
  const valleyDepth = weightValleysByTeeth(normalisedGrid, toothLikelihood);
  const fitSpan = createSpan(columns, fitHalfWidth);
  const roughPath = bestRowPath(valleyDepth, fitSpan, {
    penaltyPerPixel: Math.sqrt(4.8) / rows,
    expectedHeight: () => (rows + 1) / 2,
  });
  const initialFit = climbToDeepestValley(
    valleyDepth,
    fitSpan,
    fitParabola(fitSpan.xs, [...roughPath].map(pixelCentre)),
  );
  const fittedPath = bestRowPath(valleyDepth, fitSpan, createPrior(initialFit, columns));
  const fit = fitParabola(
    fitSpan.xs,
    [...fittedPath].map(pixelCentre),
    weightsAlong(toothLikelihood, fitSpan, fittedPath),
  );
  const lineSpan = createSpan(columns, lineHalfWidth);
  const line = bestRowPath(valleyDepth, lineSpan, createPrior(fit, columns));
  const isSeen = createVisibilityTest(normalisedGrid, toothLikelihood, fitSpan.first, fittedPath);
  const visibleIndices = [...fittedPath.keys()].filter((index) => isSeen(fittedPath[index], fitSpan.first + index));
  const depths = fittedPath.map((row, index) => valleyDepth.data[row * columns + fitSpan.first + index]);
  const [lowerQuartile, medianDepth] = percentiles(depths, [0.25, 0.5]);
  return {
    first: lineSpan.first,
    rows: line.map(pixelCentre),
    isVisible: Array.from(line, (row, index) => isSeen(row, lineSpan.first + index)),
    fit,
    seenShare: visibleIndices.length / fittedPath.length,
    roughness: median(
      visibleIndices.map((index) =>
        Math.abs(pixelCentre(fittedPath[index]) - parabolaHeightAt(fit, fitSpan.xs[index])),
      ),
    ),
    depth: { usual: medianDepth, lowerQuartile },
    rivalDepth: deepestRivalRatio(valleyDepth, fitSpan, fit),
    texture: medianTextureAlong(texture, fitSpan, fittedPath),
  };
}

/**
 * Returns a test for visible teeth both above and below the line at a position. A row that has lost a tooth varies less
 * from side to side, and the dark band is much thicker than elsewhere; there the line follows a gum or the other row's
 * edges.
 */
function createVisibilityTest(
  normalisedGrid: Grid,
  toothLikelihood: Grid,
  first: number,
  line: Float32Array,
): (row: number, column: number) => boolean {
  const smooth = boxBlur(normalisedGrid, Math.round(0.01 * normalisedGrid.columns), 1);
  const likelihoodAt = (row: number, column: number): number =>
    toothLikelihood.data[row * normalisedGrid.columns + column];
  const [typicalLikelihood] = percentiles(
    line.map((row, index) => likelihoodAt(row, first + index)),
    [0.8],
  );
  const typicalThickness = median(Array.from(line, (row, index) => thicknessAt(smooth, row, first + index)));
  return (row, column) =>
    likelihoodAt(row, column) >= minToothShare * typicalLikelihood &&
    thicknessAt(smooth, row, column) <= maxThicknessRatio * typicalThickness;
}

/** The number of consecutive rows above and below this one that are darker than their surroundings. */
function thicknessAt({ columns, rows, data }: Grid, row: number, column: number): number {
  let [top, bottom] = [row, row];
  while (top > 0 && data[top * columns + column] < 0) top--;
  while (bottom < rows - 1 && data[bottom * columns + column] < 0) bottom++;
  return bottom - top;
}

/**
 * Limits relative to the usual value. 99.7 % of the columns that pass are right in drawn panoramas with lost teeth,
 * against 95.6 % of all columns.
 */
const minToothShare = 0.6;
const maxThicknessRatio = 2.5;

/**
 * Palate, tongue and a jaw without teeth also have dark bands between them, but nothing above or below these varies
 * from side to side.
 */
function medianTextureAlong({ columns, rows, data }: Grid, { first }: Span, line: Float32Array): number {
  const rowOffset = Math.round(toothOffset * columns);
  const textures = line.map((row, index) => {
    const [above, below] = [Math.max(0, row - rowOffset), Math.min(rows - 1, row + rowOffset)];
    return Math.min(data[above * columns + first + index], data[below * columns + first + index]);
  });
  return percentiles(textures, [0.5])[0];
}

function weightValleysByTeeth(normalisedGrid: Grid, { data: toothLikelihood }: Grid): Grid {
  const valleyDepth = computeValleyDepth(normalisedGrid);
  // A line through a crown is worse than one through nothing.
  const smoothedBrightness = boxBlur(normalisedGrid, Math.round(0.006 * normalisedGrid.columns), 1).data;
  for (let index = 0; index < toothLikelihood.length; index++)
    valleyDepth.data[index] =
      valleyDepth.data[index] * (toothlessWeight + toothLikelihood[index]) -
      crownPenalty * Math.max(0, smoothedBrightness[index]);
  return valleyDepth;
}

function deepestRivalRatio(valleyDepth: Grid, span: Span, fit: Parabola): number {
  const { columns, rows } = valleyDepth;
  const depthAt = (height: number): number => percentiles(depthsAlong(valleyDepth, span, { ...fit, height }), [0.5])[0];
  const ownDepth = Math.max(1e-6, depthAt(fit.height));
  let deepest = 0;
  for (let height = 0.15 * rows; height < 0.85 * rows; height++)
    if (Math.abs(height - fit.height) > 0.035 * columns) deepest = Math.max(deepest, depthAt(height) / ownDepth);
  return deepest;
}

/** The weight of a valley with nothing like a tooth above or below it: it is the gap of a lost tooth, or air. */
const toothlessWeight = 0.1;
const crownPenalty = 0.3;

/** Shares of the width on either side of the middle: in which both rows of teeth are nearly always seen, and in which there are teeth. */
const fitHalfWidth = 0.17;
const lineHalfWidth = 0.24;
/** Half thicknesses of the gap, as shares of the width. */
const scales = [0.006, 0.011, 0.018] as const;

/**
 * Computes for each pixel how much darker it is than the darker of the areas above and below it, with the best of the
 * scales.
 */
function computeValleyDepth(normalisedGrid: Grid): Grid {
  const { columns, rows } = normalisedGrid;
  const out = newGrid(columns, rows);
  for (const scale of scales) {
    const bandRadius = Math.max(1, Math.round(scale * columns));
    const band = boxBlur(normalisedGrid, Math.round(0.012 * columns), bandRadius);
    const surroundings = boxBlur(normalisedGrid, Math.round(0.02 * columns), Math.round(1.6 * bandRadius));
    const rowOffset = Math.round(3.1 * bandRadius);
    for (let row = rowOffset; row < rows - rowOffset; row++) {
      for (let column = 0; column < columns; column++) {
        const index = row * columns + column;
        const [above, below] = [
          surroundings.data[index - rowOffset * columns],
          surroundings.data[index + rowOffset * columns],
        ];
        out.data[index] = Math.max(out.data[index], Math.min(above, below) - band.data[index]);
      }
    }
  }
  return out;
}

/**
 * Computes the horizontal variation of the image, which crowns and the gaps between them cause; in standard deviations.
 */
function columnTexture(normalisedGrid: Grid): Grid {
  const { columns, rows } = normalisedGrid;
  const smooth = boxBlur(normalisedGrid, Math.round(0.012 * columns), 0);
  const texture = newGrid(columns, rows);
  for (let index = 0; index < texture.data.length; index++)
    texture.data[index] = Math.min(2, Math.abs(normalisedGrid.data[index] - smooth.data[index]));
  return boxBlur(texture, Math.round(0.05 * columns), Math.round(0.022 * columns));
}

/** From the gap to the middle of the crowns, as a share of the width. */
const toothOffset = 0.04;

/**
 * Computes the variation both above and below a pixel, from 0 to 1. It is high between two rows of teeth and low at
 * palate, tongue or air.
 */
function estimateToothLikelihood(texture: Grid): Grid {
  const { columns, rows, data } = texture;
  const maxTexture = percentiles(data, [0.97])[0] || 1;
  const rowOffset = Math.round(toothOffset * columns);
  const out = newGrid(columns, rows);
  for (let row = rowOffset; row < rows - rowOffset; row++)
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column;
      out.data[index] = Math.min(
        1,
        data[index - rowOffset * columns] / maxTexture,
        data[index + rowOffset * columns] / maxTexture,
      );
    }
  return out;
}

/**
 * Weights for the fit of the curve, highest where both rows have teeth. Where one row has lost its teeth, the line is
 * anywhere between the other row and the gum.
 */
const weightsAlong = ({ columns, data }: Grid, { first }: Span, line: Float32Array): number[] =>
  Array.from(line, (row, index) => Math.max(minWeight, data[row * columns + first + index]) ** 2);
const minWeight = 0.02;
