import { directionLetters, oppositeLetters } from "./voxel-to-patient.ts";
import type { VolumeInfo } from "./volume.ts";

export type AnatomicalPlane = "axial" | "coronal" | "sagittal";

/** A plane of the volume in radiological convention: patient's right on the left, head up, face to the left. */
export interface PlaneSlice {
  width: number;
  height: number;
  /** `[row][column]`. */
  data: Int16Array;
  /** [between columns, between rows] in mm. */
  spacing: [number, number];
  /** Patient directions at the edges. */
  letters: { left: string; right: string; top: string; bottom: string };
}

type VolumeShape = Pick<VolumeInfo, "columns" | "rows" | "slices" | "spacing" | "direction">;

/** One plane of `data[slice][row][column]`; `index` is the voxel's along the axis that `findPlaneAxes` calls normal. */
export const resliceAxial = (info: VolumeShape, data: Int16Array, index: number): PlaneSlice =>
  reslice(info, data, "axial", index);
export const resliceCoronal = (info: VolumeShape, data: Int16Array, index: number): PlaneSlice =>
  reslice(info, data, "coronal", index);
export const resliceSagittal = (info: VolumeShape, data: Int16Array, index: number): PlaneSlice =>
  reslice(info, data, "sagittal", index);

/** Number of planes of a view. */
export const countPlanes = (info: VolumeShape, view: AnatomicalPlane): number =>
  volumeSize(info)[findPlaneAxes(info, view).normal];

/** Voxel axis (0 column, 1 row, 2 slice) that a view's index counts, and those that its columns and rows run along. */
export interface PlaneAxes {
  normal: number;
  right: { axis: number; forward: boolean };
  down: { axis: number; forward: boolean };
}

/** The planes of a view are those of voxels nearest to it: no value is interpolated. */
export function findPlaneAxes(info: Pick<VolumeInfo, "direction">, view: AnatomicalPlane): PlaneAxes {
  const axes = voxelAxes(info.direction);
  const [right, down, normal] = viewAxes[view];
  const towards = (patientAxis: number, sign: number) => ({
    axis: axes[patientAxis],
    forward: info.direction[axes[patientAxis] * 3 + patientAxis] * sign > 0,
  });
  return { normal: axes[normal], right: towards(right, 1), down: towards(down, view === "axial" ? 1 : -1) };
}

/** Patient axes (0 to the left, 1 to the back, 2 to the head) of a view's columns, rows and normal. */
const viewAxes: Record<AnatomicalPlane, readonly [number, number, number]> = {
  axial: [0, 1, 2],
  coronal: [0, 2, 1],
  sagittal: [1, 2, 0],
};

/** For each patient axis the voxel axis closest to it; each is used once. */
function voxelAxes(direction: readonly number[]): [number, number, number] {
  const orders: [number, number, number][] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const fit = (order: readonly number[]) =>
    order.reduce((sum, axis, patientAxis) => sum + Math.abs(direction[axis * 3 + patientAxis]), 0);
  return orders.reduce((best, order) => (fit(order) > fit(best) ? order : best));
}

function reslice(info: VolumeShape, data: Int16Array, view: AnatomicalPlane, index: number): PlaneSlice {
  const { normal, right, down } = findPlaneAxes(info, view);
  const size = volumeSize(info);
  const step = [1, info.columns, info.columns * info.rows];
  const [width, height] = [size[right.axis], size[down.axis]];
  const out = new Int16Array(width * height);
  const columnStep = right.forward ? step[right.axis] : -step[right.axis];
  for (let row = 0; row < height; row++) {
    let from =
      index * step[normal] +
      (down.forward ? row : height - 1 - row) * step[down.axis] +
      (right.forward ? 0 : width - 1) * step[right.axis];
    for (let column = 0; column < width; column++, from += columnStep) out[row * width + column] = data[from];
  }
  return {
    width,
    height,
    data: out,
    spacing: [info.spacing[right.axis], info.spacing[down.axis]],
    letters: edgeLetters(info, right, down),
  };
}

const volumeSize = (info: VolumeShape): [number, number, number] => [info.columns, info.rows, info.slices];

function edgeLetters(info: VolumeShape, right: PlaneAxes["right"], down: PlaneAxes["down"]): PlaneSlice["letters"] {
  const letters = ({ axis, forward }: PlaneAxes["right"]) =>
    directionLetters(info.direction.slice(axis * 3, axis * 3 + 3).map((value) => (forward ? value : -value)));
  return {
    right: letters(right),
    left: oppositeLetters(letters(right)),
    bottom: letters(down),
    top: oppositeLetters(letters(down)),
  };
}
