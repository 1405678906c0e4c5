import { createArchCurve, createJawCurve } from "../anatomy/arch-curve.ts";
import type { HeadTruth } from "../anatomy/head.ts";
import { createSkeleton, type Skeleton } from "../anatomy/skeleton.ts";
import { getCbctOrigin, type CbctSize } from "./cbct.ts";
import type { Point } from "@arcada/imaging/mesh/mesh";
import { computeJawField, farDistance, type JawField } from "./jaw-curve-coordinates.ts";

export const jawLabels = { nothing: 0, upper: 1, lower: 2 } as const;

/**
 * Labels the voxels of `createCbctVolume` whose middles lie in the bone of a jaw, `[slice][row][column]`. Marrow, nerve
 * canals, and roots within the bone count as the jaw, crowns do not. The cheek bones and wings that are joined to the upper
 * jaw count as part of it.
 */
export function createJawTruth(head: HeadTruth, size: CbctSize): Uint8Array {
  const { columns, rows, slices, voxel } = size;
  const [x0, y0, z0] = getCbctOrigin(size);
  const grid = { columns, rows, voxel, x: x0, y: y0 };
  const skeleton = createSkeleton(head.scale);
  const lower = computeJawField(createJawCurve(head.scale), grid);
  const upper = computeJawField(createArchCurve("upper", head.scale), grid);
  const labels = new Uint8Array(columns * rows * slices);
  for (let slice = 0, at = 0; slice < slices; slice++)
    for (let row = 0, pixel = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, pixel++, at++) {
        const [x, y, z] = [x0 + column * voxel, y0 + row * voxel, z0 + slice * voxel];
        const isFar = lower.u[pixel] === farDistance;
        if (!isFar && skeleton.mandible(lower.u[pixel], lower.d[pixel], z) > 0) labels[at] = jawLabels.lower;
        else if (z > 7 * head.scale && isFace(skeleton, upper, pixel, [x, y, z])) labels[at] = jawLabels.upper;
      }
  return labels;
}

function isFace({ maxilla, skull }: Skeleton, { u, d }: JawField, pixel: number, [x, y, z]: Point): boolean {
  const [along, out] = u[pixel] === farDistance ? [0, -farDistance] : [u[pixel], d[pixel]];
  return maxilla(along, out, x, y, z) > 0 || (y < behindFace && skull(x, y, z) > 0);
}

/** y of the back of the face, mm: behind it are the spine and the base of the skull. */
const behindFace = 30;
