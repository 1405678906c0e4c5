import type { FieldGrid } from "../mesh/surface-net.ts";

/**
 * Makes the sign of a field such that the surface at 0 is a manifold: no two inner samples that touch only across a
 * square's or a cube's diagonal (L. Latecki, 3D well-composed pictures, 1997). Only takes samples from the inside, so
 * that nothing grows into a gap; the values taken become `outside`. Changes `values`.
 * @returns how many samples were taken
 */
export function makeWellComposed(values: Float32Array, grid: FieldGrid, outside: number): number {
  let all = 0;
  for (let round = 0; round < 50; round++) {
    const taken = takeDiagonals(values, grid, outside);
    if (taken === 0) return all;
    all += taken;
  }
  return all;
}

/** The four corners of each of a cube's faces in turn around it; corner number: 1 column + 2 row + 4 slice. */
const faces = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
] as const;

/** For every set of inner corners (a bit each): a pair that touches only across a diagonal; null where there is none. */
const diagonals: readonly (readonly [number, number] | null)[] = Array.from({ length: 256 }, (_, inner) =>
  findDiagonal(inner),
);

function findDiagonal(inner: number): readonly [number, number] | null {
  const has = (corner: number): boolean => (inner & (1 << corner)) !== 0;
  for (const [a, b, c, d] of faces) {
    if (has(a) && has(c) && !has(b) && !has(d)) return [a, c];
    if (has(b) && has(d) && !has(a) && !has(c)) return [b, d];
  }
  for (let corner = 0; corner < 4; corner++) {
    const pair = (1 << corner) | (1 << (7 - corner));
    if (inner === pair) return [corner, 7 - corner];
    // Two outer corners across the cube: the inner part around either of them is pinched.
    if (inner === 255 - pair) return [corner ^ 1, corner ^ 2];
  }
  return null;
}

function takeDiagonals(values: Float32Array, { columns, rows, slices }: FieldGrid, outside: number): number {
  const offsets = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (i & 1) + columns * (((i >> 1) & 1) + rows * (i >> 2)));
  let taken = 0;
  for (let k = 0; k + 1 < slices; k++)
    for (let j = 0; j + 1 < rows; j++)
      for (let i = 0; i + 1 < columns; i++) {
        const at = i + columns * (j + rows * k);
        let inner = 0;
        for (let corner = 0; corner < 8; corner++) if (values[at + offsets[corner]] < 0) inner |= 1 << corner;
        const pair = diagonals[inner];
        if (!pair) continue;
        const [a, b] = [at + offsets[pair[0]], at + offsets[pair[1]]];
        values[values[a] > values[b] ? a : b] = outside;
        taken++;
      }
  return taken;
}
