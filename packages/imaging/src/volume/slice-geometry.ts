import type { DicomHeader } from "../dicom/parse/dicom-header.ts";

export type Vector = readonly [number, number, number];

export type ProblemCode = "gap" | "duplicate" | "irregular" | "tilt" | "tooFew";

/**
 * The reason for which slices make no volume, or not a clean one; `detail` is English with figures in mm and degrees.
 */
export interface GroupProblem {
  code: ProblemCode;
  detail: string;
}

/** One plane of a stack: a file, or a frame of a multi-frame file. */
export interface Slice<H extends DicomHeader = DicomHeader> {
  header: H;
  frame: number;
  position: Vector;
  /** Millimetres along the normal of the planes. */
  along: number;
}

/** Fewer planes are viewed as single images. */
export const minVolumeSlices = 8;

/**
 * The planes of files with the same orientation, in rising order along their normal (row direction × column direction).
 * Source: PS3.3 C.7.6.2.1.1. Files without position or orientation have none.
 */
export function sortSlices<H extends DicomHeader>(headers: readonly H[]): Slice<H>[] {
  const orientation = headers[0]?.imageOrientation;
  if (!orientation) return [];
  const normal = sliceNormal(orientation);
  const slices = headers.flatMap((header) => {
    const positions = header.framePositions ?? (header.imagePosition ? [header.imagePosition] : []);
    return positions.map((position, frame) => ({ header, frame, position, along: dot(position, normal) }));
  });
  return slices.sort(
    (one, other) => one.along - other.along || (one.header.instanceNumber ?? 0) - (other.header.instanceNumber ?? 0),
  );
}

/** Mean distance of neighbours along the normal in mm, from first to last. */
export const sliceSpacing = (slices: readonly Slice[]): number =>
  slices.length < 2 ? 0 : (slices[slices.length - 1].along - slices[0].along) / (slices.length - 1);

/** Returns the problems of ordered planes: none means a regular grid at right angles, "tilt" alone one that leans. */
export function findGeometryProblems(slices: readonly Slice[], pixel: number): GroupProblem[] {
  if (slices.length < minVolumeSlices) return [{ code: "tooFew", detail: `${slices.length} slices` }];
  return [...findSpacingProblems(slices), ...findSidewaysProblems(slices, pixel)];
}

/** Positions written with two decimals may be off by this much, in mm. */
const rounding = 0.011;

function findSpacingProblems(slices: readonly Slice[]): GroupProblem[] {
  const steps = slices.slice(1).map((slice, index) => slice.along - slices[index].along);
  const usual = median(steps.filter((step) => step > rounding));
  const tolerance = Math.max(usual * 0.01, rounding);
  const duplicates = steps.filter((step) => step <= rounding).length;
  const odd = steps.filter((step) => step > rounding && Math.abs(step - usual) > tolerance);
  const gaps = odd.filter(
    (step) =>
      step > 1.5 * usual && Math.abs(step - Math.round(step / usual) * usual) <= tolerance * Math.round(step / usual),
  );
  const problems: GroupProblem[] = [];
  if (duplicates > 0) problems.push({ code: "duplicate", detail: `${duplicates} slices at the place of another` });
  if (gaps.length > 0) {
    const missing = gaps.reduce((sum, step) => sum + Math.round(step / usual) - 1, 0);
    problems.push({
      code: "gap",
      detail: `${missing} slices missing at ${gaps.length} places, spacing ${usual.toFixed(3)} mm`,
    });
  }
  if (odd.length > gaps.length) {
    problems.push({
      code: "irregular",
      detail: `spacing from ${Math.min(...odd).toFixed(3)} to ${Math.max(...odd).toFixed(3)} mm, usually ${usual.toFixed(3)} mm`,
    });
  }
  return problems;
}

/** Gantries tilt by 30° at most; a steeper stack was never a scan of neighbouring planes. */
const maxTilt = 45;

/**
 * A stack whose planes drift sideways by more than a pixel was acquired with a tilted gantry; single jumps are
 * irregular.
 */
function findSidewaysProblems(slices: readonly Slice[], pixel: number): GroupProblem[] {
  const [first, last] = [slices[0], slices[slices.length - 1]];
  const length = last.along - first.along;
  if (length <= 0) return [];
  const orientation = first.header.imageOrientation;
  if (!orientation) return [];
  const [right, down]: Vector[] = [
    [orientation[0], orientation[1], orientation[2]],
    [orientation[3], orientation[4], orientation[5]],
  ];
  const travel = minus(last.position, first.position);
  const drift = Math.hypot(dot(travel, right), dot(travel, down));
  const problems: GroupProblem[] = [];
  const tilt = (Math.atan2(drift, length) * 180) / Math.PI;
  if (drift > pixel && tilt > maxTilt)
    problems.push({ code: "irregular", detail: `planes lean by ${tilt.toFixed(1)}°` });
  else if (drift > pixel) problems.push({ code: "tilt", detail: `gantry tilt of ${tilt.toFixed(1)}°` });
  const jumps = slices.filter(({ position, along }) => {
    const part = (along - first.along) / length;
    const offset = minus(position, first.position);
    return (
      Math.hypot(dot(offset, right) - part * dot(travel, right), dot(offset, down) - part * dot(travel, down)) > pixel
    );
  });
  if (jumps.length > 0) problems.push({ code: "irregular", detail: `${jumps.length} slices are displaced sideways` });
  return problems;
}

/** The direction across a slice, LPS: the cross product of the two triplets of Image Orientation (Patient). */
export function sliceNormal(orientation: readonly number[]): Vector {
  const [a, b, c, d, e, f] = orientation;
  return [b * f - c * e, c * d - a * f, a * e - b * d];
}

export const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

const minus = (one: Vector, other: Vector): Vector => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}
