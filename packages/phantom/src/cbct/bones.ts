import type { CbctScene } from "./teeth.ts";
import { compactDepth } from "../anatomy/skeleton.ts";
import { greyValues } from "./grey-values.ts";
import { farDistance, type SliceGrid } from "./jaw-curve-coordinates.ts";
import { sampleTiledNoise } from "../math/tiled-noise.ts";
import type { HeadTruth } from "../anatomy/head.ts";
import { clamp, mix } from "../math/shape-functions.ts";

/** Jaws, palate, cheek bones, spine, the air of nose and sinuses, and the nerve canals of one slice. */
export function drawBones(values: Float32Array, grid: SliceGrid, z: number, scene: CbctScene): void {
  const { skeleton, lower, upper } = scene;
  const high = z > 7 * scene.head.scale;
  const hollow = z > 15 * scene.head.scale;
  const deep = Math.round(z / grid.voxel);
  for (let row = 0; row < grid.rows; row++) {
    const y = grid.y + row * grid.voxel;
    for (let column = 0; column < grid.columns; column++) {
      const at = row * grid.columns + column;
      const x = grid.x + column * grid.voxel;
      if (values[at] <= greyValues.air && (y < -30 || Math.abs(x) > 30)) continue;
      if (hollow)
        values[at] = mix(values[at], greyValues.air, clamp(0.5 + skeleton.cavity(x, y, z) / grid.voxel, 0, 1));
      let depth = lower.u[at] === farDistance ? -9 : skeleton.mandible(lower.u[at], lower.d[at], z);
      if (high)
        depth = Math.max(
          depth,
          upper.u[at] === farDistance
            ? skeleton.maxilla(0, -farDistance, x, y, z)
            : skeleton.maxilla(upper.u[at], upper.d[at], x, y, z),
        );
      depth = Math.max(depth, skeleton.skull(x, y, z));
      const share = clamp(0.5 + depth / grid.voxel, 0, 1);
      if (share > 0)
        values[at] = mix(
          values[at],
          computeBoneGrey(depth, sampleTiledNoise(column, row, deep, 1), sampleTiledNoise(column, row, deep, 2)),
          share,
        );
    }
  }
  drawCanals(values, grid, z, scene.head);
}

const computeBoneGrey = (depth: number, fine: number, coarse: number): number =>
  mix(
    greyValues.trabecular + 330 * fine + 220 * coarse,
    greyValues.compact + 90 * fine,
    clamp(0.5 + (compactDepth - depth) / 0.8, 0, 1),
  );

const canalRadius = 1.3;

/** A dark lumen with a thin bright wall. */
function drawCanals(values: Float32Array, grid: SliceGrid, z: number, head: HeadTruth): void {
  const reach = canalRadius + 1.6;
  for (const points of [head.canals.left, head.canals.right]) {
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b] = [points[i], points[i + 1]];
      if (z < Math.min(a[2], b[2]) - reach || z > Math.max(a[2], b[2]) + reach) continue;
      drawCanalSegment(values, grid, z, a, b);
    }
  }
}

type CanalPoint = readonly [number, number, number];

function drawCanalSegment(values: Float32Array, grid: SliceGrid, z: number, a: CanalPoint, b: CanalPoint): void {
  const reach = canalRadius + 1.6;
  const low = [Math.min(a[0], b[0]) - reach, Math.min(a[1], b[1]) - reach];
  const high = [Math.max(a[0], b[0]) + reach, Math.max(a[1], b[1]) + reach];
  const direction = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const square = direction.reduce((sum, value) => sum + value * value, 0);
  for (
    let row = Math.max(0, Math.ceil((low[1] - grid.y) / grid.voxel));
    row < grid.rows && grid.y + row * grid.voxel < high[1];
    row++
  ) {
    for (
      let column = Math.max(0, Math.ceil((low[0] - grid.x) / grid.voxel));
      column < grid.columns && grid.x + column * grid.voxel < high[0];
      column++
    ) {
      const p = [grid.x + column * grid.voxel - a[0], grid.y + row * grid.voxel - a[1], z - a[2]];
      const t = clamp((p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]) / square, 0, 1);
      const distance = Math.hypot(p[0] - t * direction[0], p[1] - t * direction[1], p[2] - t * direction[2]);
      const at = row * grid.columns + column;
      const wall = clamp(1 - Math.abs(distance - canalRadius - 0.4) / 0.7, 0, 1);
      // The canal has no wall where it opens, since there is no bone for it.
      if (values[at] > 150) values[at] = mix(values[at], Math.max(values[at], 900), 0.5 * wall);
      values[at] = mix(values[at], greyValues.canal, clamp(0.5 - (distance - canalRadius) / grid.voxel, 0, 1));
    }
  }
}
