import type { CurvedSurface } from "../arch/curved-surface.ts";
import { curvedSurfaceToPatient } from "../arch/curved-surface.ts";
import { plus, times, type Vector } from "../geometry/vector.ts";
import { sampleAtPatient, type VoxelGrid } from "../surface/voxel-grid.ts";

/** Grey values of a picture, row by row; NaN outside the volume. */
export interface SampledPicture {
  columns: number;
  rows: number;
  /** mm */
  pixel: number;
  values: Float32Array;
}

/** A rectangle in the patient (LPS, mm) with unit directions to the right and down. */
export interface PictureFrame {
  middle: Vector;
  right: Vector;
  down: Vector;
  width: number;
  height: number;
}

/** Samples a plane of the volume. */
export function samplePlanePicture(grid: VoxelGrid, frame: PictureFrame, pixel: number): SampledPicture {
  const { middle, right, down, width, height } = frame;
  return fillPicture(width, height, pixel, (x, y) =>
    sampleAtPatient(grid, plus(middle, plus(times(right, x - width / 2), times(down, y - height / 2)))),
  );
}

/** The part of a curved surface that a picture shows, in mm along it and in height. */
export interface PanoramaFrame {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** Samples a curved surface as the mean of a layer so thick (mm). */
export function samplePanoramaPicture(
  grid: VoxelGrid,
  surface: CurvedSurface,
  { from, to, top, bottom }: PanoramaFrame,
  pixel: number,
  thickness: number,
): SampledPicture {
  const steps = Math.max(1, Math.round(thickness / layerStep));
  const depths = Array.from({ length: steps }, (_, at) => ((at + 0.5) / steps - 0.5) * thickness);
  return fillPicture(to - from, top - bottom, pixel, (x, y) => {
    let [sum, count] = [0, 0];
    for (const out of depths) {
      const value = sampleAtPatient(grid, curvedSurfaceToPatient(surface, { along: from + x, height: top - y, out }));
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    return count === 0 ? Number.NaN : sum / count;
  });
}
/** mm between the layers of which a panorama is the mean. */
const layerStep = 2;

function fillPicture(
  width: number,
  height: number,
  pixel: number,
  sample: (x: number, y: number) => number,
): SampledPicture {
  const [columns, rows] = [Math.max(1, Math.round(width / pixel)), Math.max(1, Math.round(height / pixel))];
  const values = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      values[row * columns + column] = sample((column + 0.5) * pixel, (row + 0.5) * pixel);
  return { columns, rows, pixel, values };
}
