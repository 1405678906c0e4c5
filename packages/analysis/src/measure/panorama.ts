import { methodStudyText } from "@arcada/contract/analysis/method-study";
import type { Abstention, Confidence, Geometry, Target } from "@arcada/contract/analysis/observation";
import type { EnginePicture, Seen } from "../engine.ts";
import {
  contentOf,
  newGrid,
  normalised,
  percentiles,
  shrunk,
  unitScaled,
  type Grid,
  type Part,
  type Shades,
} from "./grid.ts";
import { heightAt, type Parabola } from "./pan-fit.ts";
import { gapLine, type GapLine } from "./pan-line.ts";
import { midlineOf } from "./pan-midline.ts";
import { tiltOf, type Tilt } from "./pan-tilt.ts";
import { countIn, opaqueIn } from "./pan-opaque.ts";
import { abstained, seen, type Measured } from "./measured.ts";

/** Measures a panorama; everything but its quality depends on the line between the teeth. */
export function measurePanorama(picture: EnginePicture, shades: Shades): Measured {
  const view = viewOf(picture, shades);
  if (!view) return nothing("outOfRange", "the picture's shape is not a panorama's");
  const flat = normalised(withoutGlare(view.grid), Math.round(workWidth / 14), 0.03);
  const gap = gapLine(flat);
  const doubt = doubtOf(view, gap);
  if (doubt) return nothing("selfCheckFailed", doubt);
  const { fit } = gap;
  const middle = midlineOf(view.grid, flat, fit);
  const isClear = middle.doubt === null;
  const tilt = isClear ? tiltOf(gap, middle, view.grid.columns) : null;
  const regions = sextants(view, fit, isClear ? middle.column : view.grid.columns / 2);
  return {
    observations: [
      ...lineSeen(view, gap),
      ...(tilt ? [tiltSeen(view, tilt)] : []),
      ...(isClear ? [midlineSeen(view, fit, middle.column)] : []),
      ...regionsSeen(view, fit, regions),
    ],
    abstentions: [
      ...(middle.doubt === null ? [] : [abstained("PAN_MIDLINE", "selfCheckFailed", middle.doubt)]),
      ...(tilt
        ? []
        : [abstained("PAN_TILT", "selfCheckFailed", middle.doubt ?? "too few teeth are seen on both sides")]),
    ],
  };
}

const codes = ["PAN_OCCLUSAL_LINE", "PAN_TILT", "PAN_CURVE", "PAN_MIDLINE", "PAN_SEXTANT", "PAN_RADIOPAQUE"] as const;
const nothing = (reason: Abstention["reason"], detail: string): Measured => ({
  observations: [],
  abstentions: codes.map((code) => abstained(code, reason, detail)),
});

/** The panorama reduced to `workWidth` columns without a uniform margin, and the place of that part. */
interface View {
  grid: Grid;
  part: Part;
  /** Pixels of the image in one of the grid. */
  scale: number;
  picture: EnginePicture;
}

const workWidth = 640;

function viewOf(picture: EnginePicture, shades: Shades): View | null {
  const whole: Grid = { columns: picture.columns, rows: picture.rows, data: picture.samples };
  const part = contentOf(whole, shades);
  const [wide, tall] = [part.right - part.left, part.bottom - part.top];
  if (wide < 400 || wide / tall < 1.4 || wide / tall > 3.4) return null;
  const grid = shrunk(whole, part, workWidth, Math.round((workWidth * tall) / wide));
  return { grid: unitScaled(grid), part, scale: wide / workWidth, picture };
}

/**
 * Metal is so much brighter than teeth that the teeth next to it would look flat: values above nearly all others are
 * limited.
 */
function withoutGlare(grid: Grid): Grid {
  const [most] = percentiles(grid.data, [0.95]);
  return { ...grid, data: grid.data.map((value) => Math.min(most, value)) };
}

const placeOf = ({ part, scale }: View, x: number, y: number): [number, number] => [
  part.left + x * scale,
  part.top + y * scale,
];

/** Returns the reason not to trust the line; null if there is none. */
function doubtOf({ grid }: View, { fit, depth, rival, texture, seenShare, uneven }: GapLine): string | null {
  const height = fit.height / grid.rows;
  if (height < 0.25 || height > 0.75) return "the gap would lie outside the middle";
  if (Math.abs(steepnessOf(fit)) > 10) return "the gap would be steeper than 10°";
  const bend = bendOf(fit, grid.columns);
  if (bend < -12 || bend > 10) return "the gap would be bent as no row of teeth is";
  if (texture < leastTexture || seenShare < leastSeen) return "no teeth are seen on both sides of the gap";
  if (depth.usual < 0.5 || depth.faint < leastFaint) return "the gap is too faint";
  if (uneven > mostUneven(depth.faint) * grid.columns) return "the gap is too uneven";
  return rival > 0.8 ? "more than one gap would do" : null;
}

const leastTexture = 0.14;
const leastSeen = 0.4;
const leastFaint = 0.25;
/** Teeth of unequal length, a bite block and restorations make a true line uneven: one that is deep in nearly all columns may be. */
const mostUneven = (faint: number): number => 0.0018 + 0.0014 * Math.min(1, (faint - leastFaint) / 0.45);

const steepnessOf = ({ slope }: Parabola): number => (Math.atan(slope) * 180) / Math.PI;
/** The drop of the line (positive: lower) a quarter of the width from the middle, in hundredths of the width. */
const bendOf = ({ bend }: Parabola, columns: number): number => 100 * bend * columns * 0.0625;

/** Root mean square over radiographs that were not seen while the method was tuned: docs/analysis.md. */
const errorOf = (plusMinus: number, unit: string, n: number): Confidence => ({
  basis: "error",
  plusMinus,
  unit,
  set: methodStudyText("unseenPanorama", n),
});
const lineError: Confidence = { basis: "error", plusMinus: 2.5, unit: "%", set: methodStudyText("panorama", 363) };

function lineSeen(view: View, { first, rows, seen: isSeen, fit }: GapLine): Seen[] {
  const points = Array.from(rows, (row, at) => placeOf(view, first + at + 0.5, row)).filter(
    (_, at) => at % 4 === 0 && isSeen[at],
  );
  const half = 0.17 * view.grid.columns;
  const curve = [-1, -0.5, 0, 0.5, 1].map((share) =>
    placeOf(view, view.grid.columns / 2 + share * half, heightAt(fit, share * half)),
  );
  return [
    seen("PAN_OCCLUSAL_LINE", null, { geometry: { kind: "line", points }, confidence: lineError }),
    seen("PAN_CURVE", -bendOf(fit, view.grid.columns), { unit: "%", geometry: { kind: "line", points: curve } }),
  ];
}

function tiltSeen(view: View, { degrees, from, to }: Tilt): Seen {
  const points = [from, to].map(([x, y]) => placeOf(view, x, y));
  return seen("PAN_TILT", degrees, {
    unit: "°",
    geometry: { kind: "line", points },
    confidence: errorOf(0.5, "°", 21),
  });
}

function midlineSeen(view: View, fit: Parabola, column: number): Seen {
  const reach = 0.17 * view.grid.rows;
  const [x, y] = [column, heightAt(fit, column - view.grid.columns / 2)];
  const points = [-reach, reach].map((off) => placeOf(view, x - off * fit.slope, y + off));
  const offset = 100 * (placeOf(view, x, y)[0] / view.picture.columns - 0.5);
  return seen("PAN_MIDLINE", offset, {
    unit: "%",
    geometry: { kind: "line", points },
    confidence: errorOf(0.7, "%", 43),
  });
}

interface Region {
  target: Target;
  part: Part;
}

/**
 * Returns the areas of the six parts of a full set of teeth, from the lines alone; no tooth is detected. The patient's
 * right is on the left.
 */
function sextants({ grid: { columns, rows } }: View, fit: Parabola, middle: number): Region[] {
  const edges = [-0.28, -0.1, 0.1, 0.28].map((share) => middle + share * columns);
  const reach = 0.21 * rows;
  return sextantTeeth.flatMap((row, jaw) =>
    row.map(([from, to], at): Region => {
      const [left, right] = [Math.max(0, edges[at]), Math.min(columns, edges[at + 1])];
      const heights = [left, (left + right) / 2, right].map((x) => heightAt(fit, x - columns / 2));
      const part =
        jaw === 0
          ? { left, right, top: Math.max(0, Math.min(...heights) - reach), bottom: Math.max(...heights) }
          : { left, right, top: Math.min(...heights), bottom: Math.min(rows, Math.max(...heights) + reach) };
      return { target: { kind: "region", from, to, name: null }, part };
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
const leastOpaque = 50;

function regionsSeen(view: View, fit: Parabola, regions: readonly Region[]): Seen[] {
  const { columns, rows } = view.grid;
  const reach = 0.17 * rows;
  const opaque = opaqueIn(view.grid, (column) => {
    const isOutside = Math.abs(column - columns / 2) > 0.3 * columns;
    const height = heightAt(fit, column + 0.5 - columns / 2);
    return isOutside ? { top: 0, bottom: 0 } : { top: height - reach, bottom: height + reach };
  });
  const [upper, lower] = [ofJaw(opaque, fit, true), ofJaw(opaque, fit, false)];
  return regions.flatMap(({ target, part }, at) => {
    const geometry = boxOf(view, part);
    return [
      seen("PAN_SEXTANT", null, { target, geometry }),
      seen("PAN_RADIOPAQUE", countIn(at < 3 ? upper : lower, part) >= leastOpaque, { target, geometry }),
    ];
  });
}

/** Keeps the pixels on one side of the line between the teeth. */
function ofJaw(opaque: Grid, fit: Parabola, isUpper: boolean): Grid {
  const { columns, rows, data } = opaque;
  const out = newGrid(columns, rows);
  for (let column = 0; column < columns; column++) {
    const height = heightAt(fit, column + 0.5 - columns / 2);
    for (let row = 0, at = column; row < rows; row++, at += columns)
      if (at / columns < height === isUpper) out.data[at] = data[at];
  }
  return out;
}

function boxOf(view: View, part: Part): Geometry {
  const [left, top] = placeOf(view, part.left, part.top);
  const [right, bottom] = placeOf(view, part.right, part.bottom);
  return { kind: "box", left, top, right, bottom };
}
