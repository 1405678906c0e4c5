import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { Point2D } from "./measure-lengths-angles.ts";
import type { Size } from "./image-view.ts";
import { cross, dot, plus, times, type Vector } from "../geometry/vector.ts";
import { axesOf, cornersOf, sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";

export const planeNames = ["axial", "coronal", "sagittal"] as const;
export type PlaneName = (typeof planeNames)[number];

/** Unit vectors of patient space: to the right and down on the screen, and away from the eye. */
export interface Plane {
  right: Vector;
  down: Vector;
  away: Vector;
}

// Radiological convention: axial from the feet, coronal from the front, sagittal from the patient's left.
export const anatomicalPlanes: Record<PlaneName, Plane> = {
  axial: createPlane([1, 0, 0], [0, 1, 0]),
  coronal: createPlane([1, 0, 0], [0, 0, -1]),
  sagittal: createPlane([0, 1, 0], [0, 0, -1]),
};

function createPlane(right: Vector, down: Vector): Plane {
  return { right, down, away: cross(right, down) };
}

/** The view of a viewport: patient mm along `right` and `down` in its middle, and CSS pixels per mm. */
export interface PlaneView {
  middle: Point2D;
  scale: number;
}

/** The patient point under a point of the viewport; `depth` is mm along `away`. */
export function viewportToPatient(plane: Plane, view: PlaneView, viewport: Size, at: Point2D, depth: number): Vector {
  const across = view.middle[0] + (at[0] - viewport.width / 2) / view.scale;
  const down = view.middle[1] + (at[1] - viewport.height / 2) / view.scale;
  return plus(plus(times(plane.right, across), times(plane.down, down)), times(plane.away, depth));
}

export const patientToViewport = (plane: Plane, view: PlaneView, viewport: Size, point: Vector): Point2D => [
  viewport.width / 2 + (dot(point, plane.right) - view.middle[0]) * view.scale,
  viewport.height / 2 + (dot(point, plane.down) - view.middle[1]) * view.scale,
];

/** The slices that a plane steps through: the first one's depth, the distance between two, and how many. */
export interface SliceStack {
  from: number;
  step: number;
  count: number;
}

/**
 * Steps through voxel centres if the volume is aligned with the plane; by the nearest axis' spacing if it is oblique.
 */
export function getSliceStack(volume: VolumeGeometry, plane: Plane): SliceStack {
  const alignments = axesOf(volume).map((axis) => Math.abs(dot(axis, plane.away)));
  const nearest = alignments.indexOf(Math.max(...alignments));
  const step = volume.spacing[nearest] ?? 1;
  const depths = cornersOf(volume).map((corner) => dot(corner, plane.away));
  const from = Math.min(...depths);
  return { from, step, count: Math.floor((Math.max(...depths) - from) / step + 1e-4) + 1 };
}

export const getSliceIndex = ({ from, step, count }: SliceStack, depth: number): number =>
  Math.min(count - 1, Math.max(0, Math.round((depth - from) / step)));

export const getSliceDepth = ({ from, step }: SliceStack, slice: number): number => from + slice * step;

/** The slice, as it was taken, that a plane through `point` shows; null where it runs across slices or between them. */
export function findStoredSlice(volume: VolumeGeometry, { away }: Plane, point: Vector): number | null {
  if (Math.abs(dot(axesOf(volume)[2], away)) < 1 - 1e-6) return null;
  const at = patientToVoxel(volume, point)[2];
  const slice = Math.round(at);
  return Math.abs(at - slice) < 0.01 && slice >= 0 && slice < volume.slices ? slice : null;
}

/**
 * Moves a point onto the slices' middles in each plane aligned with them, so that these show the values as they were
 * stored.
 */
export const snapToSlices = (volume: VolumeGeometry, across: readonly Plane[], point: Vector): Vector =>
  across
    .filter((plane) => isAlignedWithVoxels(volume, plane))
    .reduce<Vector>((at, plane) => {
      const stack = getSliceStack(volume, plane);
      return moveToDepth(plane, at, getSliceDepth(stack, getSliceIndex(stack, dot(at, plane.away))));
    }, point);

/** Returns true if a plane is aligned with the voxels: its slices are then the volume's own. */
export const isAlignedWithVoxels = (volume: VolumeGeometry, { away }: Plane): boolean =>
  axesOf(volume).some((axis) => Math.abs(dot(axis, away)) > 1 - 1e-6);

export const moveToDepth = (plane: Plane, point: Vector, depth: number): Vector =>
  plus(point, times(plane.away, depth - dot(point, plane.away)));

/** The view that shows the whole volume. */
export function fitPlaneView(volume: VolumeGeometry, plane: Plane, viewport: Size): PlaneView {
  const extent = (axis: Vector): [number, number] => {
    const along = cornersOf(volume).map((corner) => dot(corner, axis));
    return [Math.min(...along), Math.max(...along)];
  };
  const [left, right] = extent(plane.right);
  const [top, bottom] = extent(plane.down);
  const voxel = Math.max(...volume.spacing);
  const scale = Math.min(viewport.width / (right - left + voxel), viewport.height / (bottom - top + voxel));
  return { middle: [(left + right) / 2, (top + bottom) / 2], scale };
}

/** Zooms so that the content under the viewport's point stays there. */
export function zoomPlaneView(view: PlaneView, viewport: Size, at: Point2D, factor: number): PlaneView {
  const scale = Math.min(200, Math.max(0.2, view.scale * factor));
  const shift = 1 / view.scale - 1 / scale;
  return {
    scale,
    middle: [
      view.middle[0] + (at[0] - viewport.width / 2) * shift,
      view.middle[1] + (at[1] - viewport.height / 2) * shift,
    ],
  };
}

/** Texture coordinates of a viewport: `at` in its middle, then per half width, half height and mm of depth. */
export interface ViewportTexture {
  at: Vector;
  across: Vector;
  down: Vector;
  away: Vector;
}

/**
 * Returns the part of a volume's 3D texture that a viewport shows; texture coordinates are 0 to 1 from voxel edge to
 * voxel edge.
 */
export function mapViewportToTexture(
  volume: VolumeGeometry,
  plane: Plane,
  view: PlaneView,
  viewport: Size,
  depth: number,
): ViewportTexture {
  const size = sizeOf(volume);
  const toTexture = (voxel: Vector): Vector => [
    (voxel[0] + 0.5) / size[0],
    (voxel[1] + 0.5) / size[1],
    (voxel[2] + 0.5) / size[2],
  ];
  const here = viewportToPatient(plane, view, viewport, [viewport.width / 2, viewport.height / 2], depth);
  const at = toTexture(patientToVoxel(volume, here));
  const along = (axis: Vector, mm: number): Vector => {
    const there = toTexture(patientToVoxel(volume, plus(here, times(axis, mm))));
    return [there[0] - at[0], there[1] - at[1], there[2] - at[2]];
  };
  return {
    at,
    across: along(plane.right, viewport.width / 2 / view.scale),
    down: along(plane.down, viewport.height / 2 / view.scale),
    away: along(plane.away, 1),
  };
}
