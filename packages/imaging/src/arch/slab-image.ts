import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { Volume } from "../volume/volume.ts";
import { outsideValue, createTrilinearSampler } from "../volume/trilinear-sampler.ts";
import { minus, plus, times, type Vector } from "../geometry/vector.ts";
import { interpolateBend } from "./surface-bend.ts";
import { sampleCurvedSurface, type CurvedSurface } from "./curved-surface.ts";
import type { CrossSection } from "./cross-section.ts";

/**
 * The view of an image: its middle in mm (along and height), the mm from one pixel to the next, and the thickness in
 * mm.
 */
export interface SlabView {
  columns: number;
  rows: number;
  middle: readonly [number, number];
  pixel: number;
  slab: number;
}

/**
 * The unrolled surface as means across it, `[row][column]`, on the processor: for a volume of few voxels, before any
 * other renderer is ready. `outside` where there is neither the surface nor the volume.
 */
export function renderCurvedSurfaceImage(volume: Volume, path: CurvedSurface, view: SlabView): Int16Array<ArrayBuffer> {
  const { bend } = path;
  const [along, height] = view.middle;
  const getLine: GetPixelLine = (right, up) => {
    if (along + right < 0 || along + right > path.length) return null;
    const { point, normal } = sampleCurvedSurface(path, along + right);
    return { at: plus(point, times(path.up, height + up)), away: normal };
  };
  const getBend = bend ? (right: number, up: number) => interpolateBend(bend, along + right, height + up) : null;
  return renderSlab(volume, view, getLine, getBend);
}

/** The same of a cross-section; its middle counts from where it crosses the arch, to the tongue and upwards. */
export function renderCrossSectionImage(
  volume: Volume,
  { plane, point }: CrossSection,
  view: SlabView,
): Int16Array<ArrayBuffer> {
  const getLine: GetPixelLine = (right, up) => ({
    at: plus(plus(point, times(plane.right, view.middle[0] + right)), times(plane.down, -view.middle[1] - up)),
    away: plane.away,
  });
  return renderSlab(volume, view, getLine, null);
}

/** The crossing of a pixel's line with the upright through the slab, and its unit vector; null beside the surface. */
type GetPixelLine = (right: number, up: number) => { at: Vector; away: Vector } | null;

/**
 * @param getPixelLine the same for a column except for the height
 * @param getBend mm along a pixel's line to the middle of the slab; null: none
 */
function renderSlab(
  { info, data }: Volume,
  { columns, rows, pixel, slab }: SlabView,
  getPixelLine: GetPixelLine,
  getBend: ((right: number, up: number) => number) | null,
): Int16Array<ArrayBuffer> {
  const values = new Int16Array(columns * rows).fill(outsideValue);
  const valueAt = createTrilinearSampler(data, info);
  const samples = Math.max(1, Math.round(slab / Math.min(...info.spacing)) + 1);
  const apart = samples > 1 ? slab / (samples - 1) : 0;
  const getHeight = (row: number) => ((rows - 1) / 2 - row) * pixel;
  for (let column = 0; column < columns; column++) {
    const right = (column - (columns - 1) / 2) * pixel;
    const [top, below] = [getPixelLine(right, getHeight(0)), getPixelLine(right, getHeight(1))];
    if (!top || !below) continue;
    const first = plus(top.at, times(top.away, -apart * (samples - 1) * 0.5));
    const start = patientToVoxel(info, first);
    const down = getVoxelStep(info, first, plus(first, minus(below.at, top.at)));
    const inwards = getVoxelStep(info, first, plus(first, times(top.away, apart)));
    const perMm = getVoxelStep(info, first, plus(first, top.away));
    for (let row = 0; row < rows; row++) {
      const bent = getBend ? getBend(right, getHeight(row)) : 0;
      let i = start[0] + row * down[0] + bent * perMm[0];
      let j = start[1] + row * down[1] + bent * perMm[1];
      let k = start[2] + row * down[2] + bent * perMm[2];
      let sum = 0;
      let count = 0;
      for (let sample = 0; sample < samples; sample++) {
        const value = valueAt(i, j, k);
        if (value !== outsideValue) {
          sum += value;
          count++;
        }
        i += inwards[0];
        j += inwards[1];
        k += inwards[2];
      }
      if (count > 0) values[row * columns + column] = Math.round(sum / count);
    }
  }
  return values;
}

const getVoxelStep = (info: Volume["info"], from: Vector, to: Vector): Vector =>
  minus(patientToVoxel(info, to), patientToVoxel(info, from));
