import type { ArchCurve } from "../anatomy/arch-curve.ts";

/** The plane of one slice: x and y of the middle of its first voxel, mm. */
export type SliceGrid = { columns: number; rows: number; voxel: number; x: number; y: number };

/** For every pixel of a slice: the place along a jaw's curve and the offset to the cheek, mm. Far pixels hold `far`. */
export type JawField = { u: Float32Array; d: Float32Array };

export const farDistance = 1e6;
const reach = 30;

/** Works the field out for one slice; `u` and `d` hold a value per pixel, row by row. */
export function computeJawField(curve: ArchCurve, { columns, rows, voxel, x, y }: SliceGrid): JawField {
  const u = new Float32Array(columns * rows).fill(farDistance);
  const d = new Float32Array(columns * rows).fill(farDistance);
  const samples = Array.from({ length: Math.floor(curve.length) + 1 }, (_, i) => ({ place: i, ...curve.at(i) }));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [px, py] = [x + column * voxel, y + row * voxel];
      let best = reach * reach;
      let nearest = null;
      for (const sample of samples) {
        const [dx, dy] = [Math.abs(px) - sample.x, py - sample.y];
        const square = dx * dx + dy * dy;
        if (square >= best) continue;
        best = square;
        nearest = sample;
      }
      if (!nearest) continue;
      const [dx, dy] = [Math.abs(px) - nearest.x, py - nearest.y];
      const [tx, ty] = nearest.tangent;
      const ahead = dx * tx + dy * ty;
      const at = row * columns + column;
      // Beyond the ends the offset is the whole distance, so that the bone ends round.
      const beyond = nearest.place === samples.length - 1 && ahead > 0;
      u[at] = nearest.place + ahead;
      d[at] = beyond ? Math.sqrt(best) : dx * ty - dy * tx;
    }
  }
  return { u, d };
}
