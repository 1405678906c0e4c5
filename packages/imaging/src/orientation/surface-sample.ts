import { getTriangleCorners, countTriangles, weld, type Mesh } from "../mesh/mesh.ts";

/** Points spread evenly over a surface: `points` and `normals` x y z each, and the points of its open border. */
export interface SurfaceSample {
  points: Float32Array;
  normals: Float32Array;
  border: Float32Array;
  /** mm² of the whole surface. */
  area: number;
  /** About how long the border is, mm. */
  borderLength: number;
  /** mm³; without meaning for an open surface. */
  volume: number;
}

/** Enough to recognise teeth by their shape, few enough for a scan of a million triangles to open without delay. */
const sampleCount = 24_000;
const maxBorderPoints = 4000;

export function sampleSurface(given: Mesh): SurfaceSample {
  // The border shows only where triangles share their corners.
  const mesh = given.indices ? given : weld(given);
  const areas = triangleAreas(mesh);
  let total = 0;
  for (const area of areas) total += area;
  const step = total / sampleCount || 1;
  const points = new Float32Array(3 * (sampleCount + 1));
  const normals = new Float32Array(3 * (sampleCount + 1));
  let used = 0;
  let next = step / 2;
  let sum = 0;
  for (let t = 0; t < areas.length; t++) {
    sum += areas[t];
    while (next < sum && used < sampleCount) {
      placeSample(mesh, t, used, points, normals);
      used++;
      next += step;
    }
  }
  const border = findBorder(mesh);
  const usedPoints = points.subarray(0, 3 * used);
  // The edge of a triangle of mean size, sides equal.
  const edge = Math.sqrt((4 * total) / Math.sqrt(3) / (areas.length || 1));
  return {
    points: usedPoints,
    normals: normals.subarray(0, 3 * used),
    border: thinOut(border),
    area: total,
    borderLength: (border.length / 3) * edge,
    volume: estimateVolume(usedPoints, normals, step),
  };
}

/** By the divergence theorem, each place standing for `area` mm². */
function estimateVolume(points: Float32Array, normals: Float32Array, area: number): number {
  const [x, y, z] = points;
  let sum = 0;
  for (let i = 0; i < points.length; i += 3)
    sum += (points[i] - x) * normals[i] + (points[i + 1] - y) * normals[i + 1] + (points[i + 2] - z) * normals[i + 2];
  return (sum * area) / 3;
}

function triangleAreas(mesh: Mesh): Float32Array {
  const { positions: p } = mesh;
  const indices = mesh.indices;
  const areas = new Float32Array(countTriangles(mesh));
  // Plain numbers and no arrays: a million triangles come by.
  for (let t = 0; t < areas.length; t++) {
    const a = indices ? 3 * indices[3 * t] : 9 * t;
    const b = indices ? 3 * indices[3 * t + 1] : 9 * t + 3;
    const c = indices ? 3 * indices[3 * t + 2] : 9 * t + 6;
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    areas[t] = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  }
  return areas;
}

/** Places a sample in a triangle: the golden ratio's multiples spread evenly without a random source. */
function placeSample(mesh: Mesh, triangle: number, at: number, points: Float32Array, normals: Float32Array): void {
  const p = mesh.positions;
  const [a, b, c] = getTriangleCorners(mesh, triangle);
  let u = (at * 0.754877666) % 1;
  let v = (at * 0.569840291) % 1;
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  const n = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    points[3 * at + i] = p[a + i] + u * (p[b + i] - p[a + i]) + v * (p[c + i] - p[a + i]);
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    n[i] = (p[b + j] - p[a + j]) * (p[c + k] - p[a + k]) - (p[b + k] - p[a + k]) * (p[c + j] - p[a + j]);
  }
  const length = Math.hypot(n[0], n[1], n[2]) || 1;
  for (let i = 0; i < 3; i++) normals[3 * at + i] = n[i] / length;
}

/**
 * Vertices on the open border. Around an inner vertex every neighbour follows one triangle and precedes another,
 * so that the differences of their numbers add up to nothing; at the border they do not.
 */
function findBorder({ positions, indices }: Mesh): Float32Array {
  if (!indices) return new Float32Array(0);
  const sums = new Int32Array(positions.length / 3);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    sums[a] += b - c;
    sums[b] += c - a;
    sums[c] += a - b;
  }
  let count = 0;
  for (const sum of sums) if (sum !== 0) count++;
  const border = new Float32Array(3 * count);
  let used = 0;
  for (let v = 0; v < sums.length; v++) {
    if (sums[v] === 0) continue;
    border.set(positions.subarray(3 * v, 3 * v + 3), 3 * used);
    used++;
  }
  return border;
}

function thinOut(border: Float32Array): Float32Array {
  const step = Math.ceil(border.length / 3 / maxBorderPoints);
  if (step <= 1) return border;
  const kept = new Float32Array(3 * Math.floor(border.length / 3 / step));
  for (let i = 0; i < kept.length / 3; i++) kept.set(border.subarray(3 * i * step, 3 * i * step + 3), 3 * i);
  return kept;
}
