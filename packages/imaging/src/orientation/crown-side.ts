import type { Vector } from "../geometry/vector.ts";
import type { SurfaceSample } from "./surface-sample.ts";

/** One side of a surface, along a direction or against it: the part that faces there, and its shape. */
interface SideShares {
  count: number;
  /** Shares of the part that faces there. */
  hollow: number;
  flat: number;
}

/**
 * Determines the side of its plane to which a row of crowns points: 1 along the normal, -1 against it, 0 if the signs
 * are weak or disagree. An open surface faces its crowns, and its border is at the gum. A closed one has fissures on
 * the biting side and is smooth or flat where it was cut off; a shell (a splint, a hollow bridge) has its print on the
 * other side and is not judged.
 */
export function findCrownSide(sample: SurfaceSample, normal: Vector, middle: Vector): -1 | 0 | 1 {
  const size = Math.sqrt(sample.area);
  if (sample.borderLength > size) return findOpenSide(sample, normal, middle);
  if (sample.borderLength > 0.3 * size || Math.abs(sample.volume) < minSolidity * sample.area) return 0;
  const [along, against] = measureSides(sample, normal);
  const [one, other] = [looksLikeCrowns(along, against), looksLikeCrowns(against, along)];
  return one === other ? 0 : one ? 1 : -1;
}

/** mm of volume for each mm² of surface: crowns have more than 1, shells less. */
const minSolidity = 0.8;

function findOpenSide({ points, normals, border }: SurfaceSample, normal: Vector, middle: Vector): -1 | 0 | 1 {
  let [along, against] = [0, 0];
  for (let i = 0; i < normals.length; i += 3) {
    const facing = normals[i] * normal[0] + normals[i + 1] * normal[1] + normals[i + 2] * normal[2];
    if (facing > 0.5) along++;
    else if (facing < -0.5) against++;
  }
  const net = (along - against) / (along + against || 1);
  const heights = computeHeights(points, normal, middle).sort();
  const half = heights[heights.length >> 1] ?? 0;
  const low =
    computeHeights(border, normal, middle).filter((height) => height < half).length / (border.length / 3 || 1);
  if (net > 0.5 && low > 0.7) return 1;
  return net < -0.5 && low < 0.3 ? -1 : 0;
}

function computeHeights(points: Float32Array, normal: Vector, middle: Vector): Float32Array {
  const heights = new Float32Array(points.length / 3);
  for (let i = 0; i < heights.length; i++)
    heights[i] =
      (points[3 * i] - middle[0]) * normal[0] +
      (points[3 * i + 1] - middle[1]) * normal[1] +
      (points[3 * i + 2] - middle[2]) * normal[2];
  return heights;
}

/** Compares the measured shares with their limits; `docs/decisions/0087` names the scans behind them. */
function looksLikeCrowns(crowns: SideShares, cut: SideShares): boolean {
  const isFissured =
    crowns.hollow > 0.05 && crowns.hollow < 0.3 && cut.hollow < 0.025 && crowns.hollow > 4 * cut.hollow;
  const isCutFlat = cut.flat > 0.2 && cut.flat > 2 * crowns.flat;
  const isBase = cut.flat > 0.5 && cut.flat > 3 * crowns.flat;
  const isRough = crowns.hollow > 0.025 && crowns.hollow < 0.3 && crowns.hollow > 2.5 * cut.hollow;
  return isBase || (isFissured && cut.flat > 0.7 * crowns.flat) || (isRough && isCutFlat);
}

/** mm within which neighbours determine the curvature. */
const neighbourRadius = 1.2;

function measureSides(sample: SurfaceSample, normal: Vector): [SideShares, SideShares] {
  const outwards = sample.volume < 0 ? -1 : 1;
  const { normals } = sample;
  const neighbours = new NeighbourGrid(sample.points);
  const sides: [SideShares, SideShares] = [
    { count: 0, hollow: 0, flat: 0 },
    { count: 0, hollow: 0, flat: 0 },
  ];
  // Every second place: the shares are as good to a percent.
  for (let i = 0; i < normals.length; i += 6) {
    const facing = outwards * (normals[i] * normal[0] + normals[i + 1] * normal[1] + normals[i + 2] * normal[2]);
    if (Math.abs(facing) < 0.5) continue;
    const side = sides[facing > 0 ? 0 : 1];
    side.count++;
    if (Math.abs(facing) > 0.96) side.flat++;
    if (outwards * measureCurvature(sample, neighbours, i) > 0.1) side.hollow++;
  }
  for (const side of sides) {
    side.hollow /= side.count || 1;
    side.flat /= side.count || 1;
  }
  return sides;
}

/** 1/mm, positive if the neighbours are before the tangent plane; 0 if there are too few. */
function measureCurvature({ points, normals }: SurfaceSample, neighbours: NeighbourGrid, i: number): number {
  const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
  const [nx, ny, nz] = [normals[i], normals[i + 1], normals[i + 2]];
  let [sum, count] = [0, 0];
  neighbours.visit(x, y, z, (at) => {
    const [dx, dy, dz] = [points[at] - x, points[at + 1] - y, points[at + 2] - z];
    const square = dx * dx + dy * dy + dz * dz;
    if (square > neighbourRadius * neighbourRadius || square < 0.04) return;
    if (nx * normals[at] + ny * normals[at + 1] + nz * normals[at + 2] < 0) return;
    sum += (2 * (dx * nx + dy * ny + dz * nz)) / square;
    count++;
  });
  return count < 3 ? 0 : sum / count;
}

/** Points sorted into cubes of `near` mm. */
class NeighbourGrid {
  private readonly starts: Int32Array;
  private readonly order: Int32Array;
  private readonly keys: Int32Array;
  private static readonly buckets = 1 << 15;

  constructor(points: Float32Array) {
    const count = points.length / 3;
    this.keys = new Int32Array(count);
    this.starts = new Int32Array(NeighbourGrid.buckets + 1);
    for (let i = 0; i < count; i++) {
      const cube = (at: number) => Math.floor(points[3 * i + at] / neighbourRadius);
      this.keys[i] = bucketOf(cube(0), cube(1), cube(2));
      this.starts[this.keys[i] + 1]++;
    }
    for (let i = 0; i < NeighbourGrid.buckets; i++) this.starts[i + 1] += this.starts[i];
    const next = this.starts.slice();
    this.order = new Int32Array(count);
    for (let i = 0; i < count; i++) this.order[next[this.keys[i]]++] = i;
  }

  /** Visits all points that may be within `near` mm, by their start indices; some may be further away. */
  visit(x: number, y: number, z: number, each: (at: number) => void): void {
    const [cx, cy, cz] = [
      Math.floor(x / neighbourRadius),
      Math.floor(y / neighbourRadius),
      Math.floor(z / neighbourRadius),
    ];
    for (let i = cx - 1; i <= cx + 1; i++)
      for (let j = cy - 1; j <= cy + 1; j++)
        for (let k = cz - 1; k <= cz + 1; k++) {
          const bucket = bucketOf(i, j, k);
          for (let n = this.starts[bucket]; n < this.starts[bucket + 1]; n++) each(3 * this.order[n]);
        }
  }
}

const bucketOf = (i: number, j: number, k: number): number =>
  (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & 0x7fff;
