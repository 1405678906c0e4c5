import type { SearchField } from "./search-field.ts";

/** Radii of canals are 1 to 2 mm: a Gaussian of about 0.7 of a radius answers most. */
const deviations = [0.8, 1.25] as const;

export interface TubeFields {
  /** How much the surroundings of each sample look like a tube, in grey values. */
  likeness: Float32Array;
  /** The values with little noise. */
  blurred: Float32Array;
}

/**
 * Computes how much the surroundings of each sample look like a dark tube with brighter walls, in grey values: the second
 * largest curvature of the blurred values less a part of the curvature along the tube, the most over the widths of
 * canals. 0 where nothing does. Source: A. Frangi et al., Multiscale vessel enhancement filtering, 1998 (the same
 * eigenvalues, with a linear measure, which weighs contrast).
 */
export function computeTubeFields({ info, values }: SearchField): TubeFields {
  const likeness = new Float32Array(values.length);
  const blurs = deviations.map((deviation) => {
    const blurred = blurField(values, info, deviation / info.spacing[0]);
    addLikeness(blurred, info, (deviation / info.spacing[0]) ** 2, likeness);
    return blurred;
  });
  return { likeness, blurred: blurs[0] };
}

type Size = Pick<SearchField["info"], "columns" | "rows" | "slices">;

function blurField(values: Float32Array, { columns, rows, slices }: Size, deviation: number): Float32Array {
  const reach = Math.ceil(2.5 * deviation);
  const weights = Array.from({ length: reach + 1 }, (_, i) => Math.exp(-(i ** 2) / (2 * deviation ** 2)));
  const all = weights.reduce((sum, weight, i) => sum + (i === 0 ? 1 : 2) * weight, 0);
  const kernel = Float64Array.from(weights, (weight) => weight / all);
  const alongRows = blurLines(values, kernel, columns, 1, rows * slices, (line) => line * columns);
  const area = columns * rows;
  const alongColumns = blurLines(
    alongRows,
    kernel,
    rows,
    columns,
    columns * slices,
    (line) => (line % columns) + Math.floor(line / columns) * area,
  );
  return blurLines(alongColumns, kernel, slices, area, area, (line) => line);
}

function blurLines(
  from: Float32Array,
  kernel: Float64Array,
  count: number,
  stride: number,
  lines: number,
  startOf: (line: number) => number,
): Float32Array {
  const to = new Float32Array(from.length);
  const reach = kernel.length - 1;
  for (let line = 0; line < lines; line++) {
    const start = startOf(line);
    for (let i = 0; i < count; i++) {
      let sum = kernel[0] * from[start + i * stride];
      for (let off = 1; off <= reach; off++) {
        const before = i - off < 0 ? 0 : i - off;
        const after = i + off >= count ? count - 1 : i + off;
        sum += kernel[off] * (from[start + before * stride] + from[start + after * stride]);
      }
      to[start + i * stride] = sum;
    }
  }
  return to;
}

/** The part of the curvature along the tube that is taken off: a dark ball is no tube, but may be a piece of one. */
const alongShare = 0.5;

function addLikeness(v: Float32Array, { columns, rows, slices }: Size, scale: number, likeness: Float32Array): void {
  const [dy, dz] = [columns, columns * rows];
  for (let k = 1; k + 1 < slices; k++)
    for (let j = 1; j + 1 < rows; j++)
      for (let i = 1; i + 1 < columns; i++) {
        const at = i + dy * j + dz * k;
        const middle = 2 * v[at];
        const xx = v[at - 1] + v[at + 1] - middle;
        const yy = v[at - dy] + v[at + dy] - middle;
        const zz = v[at - dz] + v[at + dz] - middle;
        if (xx + yy + zz <= 0) continue;
        const xy = (v[at + 1 + dy] - v[at + 1 - dy] - v[at - 1 + dy] + v[at - 1 - dy]) / 4;
        const xz = (v[at + 1 + dz] - v[at + 1 - dz] - v[at - 1 + dz] + v[at - 1 - dz]) / 4;
        const yz = (v[at + dy + dz] - v[at + dy - dz] - v[at - dy + dz] + v[at - dy - dz]) / 4;
        const found = measureTube(xx, yy, zz, xy, xz, yz) * scale;
        if (found > likeness[at]) likeness[at] = found;
      }
}

/** From the eigenvalues of a symmetric matrix, largest first. Source: O. K. Smith, Eigenvalues of a symmetric 3 × 3 matrix, 1961. */
function measureTube(xx: number, yy: number, zz: number, xy: number, xz: number, yz: number): number {
  const mean = (xx + yy + zz) / 3;
  const [a, b, c] = [xx - mean, yy - mean, zz - mean];
  const size = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (size < 1e-9) return 0;
  const determinant = (a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)) / (2 * size ** 3);
  const angle = Math.acos(Math.min(1, Math.max(-1, determinant))) / 3;
  const least = mean + 2 * size * Math.cos(angle + (2 * Math.PI) / 3);
  const most = mean + 2 * size * Math.cos(angle);
  const second = 3 * mean - least - most;
  return Math.max(0, second - alongShare * Math.abs(least));
}
