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
  const isBent = path.bend !== undefined;
  return renderSlab(volume, { ...view, isBent }, (right, up) => {
    const along = view.middle[0] + right;
    if (along < 0 || along > path.length) return null;
    const { point, normal } = sampleCurvedSurface(path, along);
    const height = view.middle[1] + up;
    const bent = path.bend ? interpolateBend(path.bend, along, height) : 0;
    return { at: plus(point, times(path.up, height)), away: normal, bent };
  });
}

/** The same of a cross-section; its middle counts from where it crosses the arch, to the tongue and upwards. */
export function renderCrossSectionImage(
  volume: Volume,
  { plane, point }: CrossSection,
  view: SlabView,
): Int16Array<ArrayBuffer> {
  return renderSlab(volume, { ...view, isBent: false }, (right, up) => ({
    at: plus(plus(point, times(plane.right, view.middle[0] + right)), times(plane.down, -view.middle[1] - up)),
    away: plane.away,
    bent: 0,
  }));
}

/**
 * @param getPixelLine the crossing of a pixel's line with the upright through the slab, its unit vector, and the mm along it
 * of the slab's middle; the same for a column except for the height and that offset
 */
function renderSlab(
  { info, data }: Volume,
  { columns, rows, pixel, slab, isBent }: SlabView & { isBent: boolean },
  getPixelLine: (right: number, up: number) => { at: Vector; away: Vector; bent: number } | null,
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
      const bent = isBent ? (getPixelLine(right, getHeight(row))?.bent ?? 0) : 0;
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
