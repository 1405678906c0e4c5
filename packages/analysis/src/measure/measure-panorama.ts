import { methodStudyText } from "@arcada/contract/analysis/method-evaluation-set";
import type { Abstention, Confidence, Geometry, Target } from "@arcada/contract/analysis/observation";
import type { EngineImage, NewObservation } from "../engine.ts";
import {
  findContentRegion,
  newGrid,
  normaliseLocally,
  percentiles,
  resampleByMean,
  scaleToUnitRange,
  type Grid,
  type PixelRect,
  type Histogram,
} from "./pixel-grid.ts";
import { parabolaHeightAt, type Parabola } from "./fit-parabola.ts";
import { findOcclusalLine, type OcclusalLine } from "./panorama-occlusal-line.ts";
import { findMidline } from "./panorama-midline.ts";
import { measureTilt, type Tilt } from "./panorama-tilt.ts";
import { countPixels, segmentRadiopaque } from "./segment-radiopaque.ts";
import { createAbstention, createObservation, type MeasurementResult } from "./measurement-result.ts";

/** Measures a panorama; everything but its quality depends on the line between the teeth. */
export function measurePanorama(picture: EngineImage, shades: Histogram): MeasurementResult {
  const view = createWorkingView(picture, shades);
  if (!view) return abstainFromPanorama("outOfRange", "the picture's shape is not a panorama's");
  const normalisedGrid = normaliseLocally(clampGlare(view.grid), Math.round(workWidth / 14), 0.03);
  const occlusalLine = findOcclusalLine(normalisedGrid);
  const rejection = rejectionReason(view, occlusalLine);
  if (rejection) return abstainFromPanorama("selfCheckFailed", rejection);
  const { fit } = occlusalLine;
  const midline = findMidline(view.grid, normalisedGrid, fit);
  const isMidlineClear = midline.rejection === null;
  const tilt = isMidlineClear ? measureTilt(occlusalLine, midline, view.grid.columns) : null;
  const regions = locateSextants(view, fit, isMidlineClear ? midline.column : view.grid.columns / 2);
  return {
    observations: [
      ...observeOcclusalLine(view, occlusalLine),
      ...(tilt ? [observeTilt(view, tilt)] : []),
      ...(isMidlineClear ? [observeMidline(view, fit, midline.column)] : []),
      ...observeSextants(view, fit, regions),
    ],
    abstentions: [
      ...(midline.rejection === null ? [] : [createAbstention("PAN_MIDLINE", "selfCheckFailed", midline.rejection)]),
      ...(tilt
        ? []
        : [
            createAbstention(
              "PAN_TILT",
              "selfCheckFailed",
              midline.rejection ?? "too few teeth are seen on both sides",
            ),
          ]),
    ],
  };
}

const codes = ["PAN_OCCLUSAL_LINE", "PAN_TILT", "PAN_CURVE", "PAN_MIDLINE", "PAN_SEXTANT", "PAN_RADIOPAQUE"] as const;
const abstainFromPanorama = (reason: Abstention["reason"], detail: string): MeasurementResult => ({
  observations: [],
  abstentions: codes.map((code) => createAbstention(code, reason, detail)),
});

/** The panorama reduced to `workWidth` columns without a uniform margin, and the place of that part. */
interface WorkingView {
  grid: Grid;
  region: PixelRect;
  /** Pixels of the image in one of the grid. */
  scale: number;
  picture: EngineImage;
}

const workWidth = 640;

function createWorkingView(picture: EngineImage, shades: Histogram): WorkingView | null {
  const fullImage: Grid = { columns: picture.columns, rows: picture.rows, data: picture.samples };
  const region = findContentRegion(fullImage, shades);
  const [width, height] = [region.right - region.left, region.bottom - region.top];
  if (width < 400 || width / height < 1.4 || width / height > 3.4) return null;
  const grid = resampleByMean(fullImage, region, workWidth, Math.round((workWidth * height) / width));
  return { grid: scaleToUnitRange(grid), region, scale: width / workWidth, picture };
}

/**
 * Metal is so much brighter than teeth that the teeth next to it would look flat: values above nearly all others are
 * limited.
 */
function clampGlare(grid: Grid): Grid {
  const [glareLevel] = percentiles(grid.data, [0.95]);
  return { ...grid, data: grid.data.map((value) => Math.min(glareLevel, value)) };
}

const toImagePoint = ({ region, scale }: WorkingView, x: number, y: number): [number, number] => [
  region.left + x * scale,
  region.top + y * scale,
];

/** Returns the reason not to trust the line; null if there is none. */
function rejectionReason(
  { grid }: WorkingView,
  { fit, depth, rivalDepth, texture, seenShare, roughness }: OcclusalLine,
): string | null {
  const height = fit.height / grid.rows;
  if (height < 0.25 || height > 0.75) return "the gap would lie outside the middle";
  if (Math.abs(slopeDegrees(fit)) > 10) return "the gap would be steeper than 10°";
  const curvature = curvaturePercent(fit, grid.columns);
  if (curvature < -12 || curvature > 10) return "the gap would be bent as no row of teeth is";
  if (texture < minTexture || seenShare < minVisibleShare) return "no teeth are seen on both sides of the gap";
  if (depth.usual < 0.5 || depth.lowerQuartile < minFaintDepth) return "the gap is too faint";
  if (roughness > maxRoughness(depth.lowerQuartile) * grid.columns) return "the gap is too uneven";
  return rivalDepth > 0.8 ? "more than one gap would do" : null;
}

const minTexture = 0.14;
const minVisibleShare = 0.4;
const minFaintDepth = 0.25;
/** Teeth of unequal length, a bite block and restorations make a true line uneven: one that is deep in nearly all columns may be. */
const maxRoughness = (faintDepth: number): number => 0.0018 + 0.0014 * Math.min(1, (faintDepth - minFaintDepth) / 0.45);

const slopeDegrees = ({ slope }: Parabola): number => (Math.atan(slope) * 180) / Math.PI;
/** The drop of the line (positive: lower) a quarter of the width from the middle, in hundredths of the width. */
const curvaturePercent = ({ bend: curvature }: Parabola, columns: number): number => 100 * curvature * columns * 0.0625;

/** Root mean square over radiographs that were not seen while the method was tuned: docs/analysis.md. */
const errorConfidence = (plusMinus: number, unit: string, n: number): Confidence => ({
  basis: "error",
  plusMinus,
  unit,
  set: methodStudyText("unseenPanorama", n),
});
const lineError: Confidence = { basis: "error", plusMinus: 2.5, unit: "%", set: methodStudyText("panorama", 363) };

function observeOcclusalLine(view: WorkingView, { first, rows, isVisible, fit }: OcclusalLine): NewObservation[] {
  const points = Array.from(rows, (row, index) => toImagePoint(view, first + index + 0.5, row)).filter(
    (_, index) => index % 4 === 0 && isVisible[index],
  );
  const half = 0.17 * view.grid.columns;
  const curve = [-1, -0.5, 0, 0.5, 1].map((fraction) =>
    toImagePoint(view, view.grid.columns / 2 + fraction * half, parabolaHeightAt(fit, fraction * half)),
  );
  return [
    createObservation("PAN_OCCLUSAL_LINE", null, { geometry: { kind: "line", points }, confidence: lineError }),
    createObservation("PAN_CURVE", -curvaturePercent(fit, view.grid.columns), {
      unit: "%",
      geometry: { kind: "line", points: curve },
    }),
  ];
}

function observeTilt(view: WorkingView, { degrees, from, to }: Tilt): NewObservation {
  const points = [from, to].map(([x, y]) => toImagePoint(view, x, y));
  return createObservation("PAN_TILT", degrees, {
    unit: "°",
    geometry: { kind: "line", points },
    confidence: errorConfidence(0.5, "°", 21),
  });
}

function observeMidline(view: WorkingView, fit: Parabola, column: number): NewObservation {
  const halfHeight = 0.17 * view.grid.rows;
  const [x, y] = [column, parabolaHeightAt(fit, column - view.grid.columns / 2)];
  const points = [-halfHeight, halfHeight].map((rowOffset) =>
    toImagePoint(view, x - rowOffset * fit.slope, y + rowOffset),
  );
  const offset = 100 * (toImagePoint(view, x, y)[0] / view.picture.columns - 0.5);
  return createObservation("PAN_MIDLINE", offset, {
    unit: "%",
    geometry: { kind: "line", points },
    confidence: errorConfidence(0.7, "%", 43),
  });
}

interface Sextant {
  target: Target;
  region: PixelRect;
}

/**
 * Returns the areas of the six parts of a full set of teeth, from the lines alone; no tooth is detected. The patient's
 * right is on the left.
 */
function locateSextants({ grid: { columns, rows } }: WorkingView, fit: Parabola, midlineColumn: number): Sextant[] {
  const edges = [-0.28, -0.1, 0.1, 0.28].map((fraction) => midlineColumn + fraction * columns);
  const halfHeight = 0.21 * rows;
  return sextantTeeth.flatMap((row, jaw) =>
    row.map(([from, to], index): Sextant => {
      const [left, right] = [Math.max(0, edges[index]), Math.min(columns, edges[index + 1])];
      const heights = [left, (left + right) / 2, right].map((x) => parabolaHeightAt(fit, x - columns / 2));
      const region =
        jaw === 0
          ? { left, right, top: Math.max(0, Math.min(...heights) - halfHeight), bottom: Math.max(...heights) }
          : { left, right, top: Math.min(...heights), bottom: Math.min(rows, Math.max(...heights) + halfHeight) };
      return { target: { kind: "region", from, to, name: null }, region };
    }),
  );
}

const sextantTeeth = [
  [
    [18, 14],
    [13, 23],
    [24, 28],
  ],
  [
    [48, 44],
    [43, 33],
    [34, 38],
  ],
] as const;

/** At `workWidth`: fewer pixels as dense as metal are noise. */
const minOpaquePixels = 50;

function observeSextants(view: WorkingView, fit: Parabola, regions: readonly Sextant[]): NewObservation[] {
  const { columns, rows } = view.grid;
  const halfHeight = 0.17 * rows;
  const radiopaque = segmentRadiopaque(view.grid, (column) => {
    const isOutside = Math.abs(column - columns / 2) > 0.3 * columns;
    const height = parabolaHeightAt(fit, column + 0.5 - columns / 2);
    return isOutside ? { top: 0, bottom: 0 } : { top: height - halfHeight, bottom: height + halfHeight };
  });
  const [upper, lower] = [keepJawSide(radiopaque, fit, true), keepJawSide(radiopaque, fit, false)];
  return regions.flatMap(({ target, region }, index) => {
    const geometry = toImageBox(view, region);
    return [
      createObservation("PAN_SEXTANT", null, { target, geometry }),
      createObservation("PAN_RADIOPAQUE", countPixels(index < 3 ? upper : lower, region) >= minOpaquePixels, {
        target,
        geometry,
      }),
    ];
  });
}

/** Keeps the pixels on one side of the line between the teeth. */
function keepJawSide(radiopaque: Grid, fit: Parabola, isUpper: boolean): Grid {
  const { columns, rows, data } = radiopaque;
  const out = newGrid(columns, rows);
  for (let column = 0; column < columns; column++) {
    const height = parabolaHeightAt(fit, column + 0.5 - columns / 2);
    for (let row = 0, index = column; row < rows; row++, index += columns)
      if (index / columns < height === isUpper) out.data[index] = data[index];
  }
  return out;
}

function toImageBox(view: WorkingView, region: PixelRect): Geometry {
  const [left, top] = toImagePoint(view, region.left, region.top);
  const [right, bottom] = toImagePoint(view, region.right, region.bottom);
  return { kind: "box", left, top, right, bottom };
}
