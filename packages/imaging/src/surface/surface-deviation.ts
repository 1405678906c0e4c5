/** A surface with joined vertices, in mm. */
interface IndexedSurface {
  positions: Float32Array;
  indices: Uint32Array;
}

/**
 * Returns the greatest distance of a point from a surface, in mm; null if a point is farther away than `limit`, or if
 * the surface has so many large triangles that the search would take too long.
 * @param points x y z each, in mm
 * @param limit mm, of the order of a triangle's side
 */
export function measureDeviation(points: Float32Array, surface: IndexedSurface, limit: number): number | null {
  if (surface.indices.length === 0) return null;
  const grid = sortIntoCells(surface, limit);
  if (!grid) return null;
  const { cell, starts, triangles, large } = grid;
  const distanceTo = (point: number, triangle: number) => squaredDistance(points, point, surface, triangle);
  let worst = 0;
  let last = 0;
  for (let point = 0; point < points.length; point += 3) {
    const bucket = findBucket(
      Math.floor(points[point] / cell),
      Math.floor(points[point + 1] / cell),
      Math.floor(points[point + 2] / cell),
    );
    // Any triangle that is as near as the worst so far ends the search: only the greatest distance is wanted. Points
    // that follow each other are near each other, and often near the same triangle.
    let nearest = distanceTo(point, last);
    for (let at = starts[bucket]; at < starts[bucket + 1] && !(nearest <= worst); at++) {
      const squared = distanceTo(point, triangles[at]);
      if (squared < nearest) {
        nearest = squared;
        last = triangles[at];
      }
    }
    for (let at = 0; at < large.length && nearest > worst; at++)
      nearest = Math.min(nearest, distanceTo(point, large[at]));
    if (!(nearest <= limit ** 2)) return null;
    if (nearest > worst) worst = nearest;
  }
  return Math.sqrt(worst);
}

/** For each bucket of a hash table of cells, the triangles that are within the limit of one of its cells. */
interface TriangleGrid {
  /** The side of a cell, mm. */
  cell: number;
  /** The start of each bucket in `triangles`, and the end of the last. */
  starts: Uint32Array;
  triangles: Uint32Array;
  /** Triangles of too many cells, which are compared with every point. */
  large: number[];
}

const bucketCount = 1 << 20;
const maxCells = 512;
const maxLarge = 200;

function sortIntoCells(surface: IndexedSurface, limit: number): TriangleGrid | null {
  const cell = 2 * limit;
  const count = surface.indices.length / 3;
  const starts = new Uint32Array(bucketCount + 1);
  const large: number[] = [];
  const box = new Float64Array(6);
  for (let triangle = 0; triangle < count; triangle++) {
    findCells(surface, triangle, { cell, limit }, box);
    const cells = (box[3] - box[0] + 1) * (box[4] - box[1] + 1) * (box[5] - box[2] + 1);
    if (!(cells <= maxCells)) large.push(triangle);
    else forEachBucket(box, (bucket) => starts[bucket + 1]++);
    if (large.length > maxLarge) return null;
  }
  for (let bucket = 0; bucket < bucketCount; bucket++) starts[bucket + 1] += starts[bucket];
  const triangles = new Uint32Array(starts[bucketCount]);
  const next = starts.slice();
  const isLarge = new Set(large);
  for (let triangle = 0; triangle < count; triangle++) {
    if (isLarge.has(triangle)) continue;
    findCells(surface, triangle, { cell, limit }, box);
    forEachBucket(box, (bucket) => (triangles[next[bucket]++] = triangle));
  }
  return { cell, starts, triangles, large };
}

/** Writes the first and the last cell of each axis that are within the limit of a triangle's box. */
function findCells(
  { positions, indices }: IndexedSurface,
  triangle: number,
  { cell, limit }: { cell: number; limit: number },
  box: Float64Array,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const a = positions[3 * indices[3 * triangle] + axis];
    const b = positions[3 * indices[3 * triangle + 1] + axis];
    const c = positions[3 * indices[3 * triangle + 2] + axis];
    box[axis] = Math.floor((Math.min(a, b, c) - limit) / cell);
    box[axis + 3] = Math.floor((Math.max(a, b, c) + limit) / cell);
  }
}

function forEachBucket(box: Float64Array, visit: (bucket: number) => void): void {
  for (let x = box[0]; x <= box[3]; x++)
    for (let y = box[1]; y <= box[4]; y++) for (let z = box[2]; z <= box[5]; z++) visit(findBucket(x, y, z));
}

// Cells that share a bucket only make it longer.
function findBucket(x: number, y: number, z: number): number {
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
  return (mixed ^ (mixed >>> 15)) & (bucketCount - 1);
}

/**
 * The squared distance of a point from a triangle. The triangle is {a + s·u + t·v}; the minimum is inside, or on one of
 * the three sides. Plain numbers and no arrays: millions of points come by.
 */
function squaredDistance(points: Float32Array, point: number, surface: IndexedSurface, triangle: number): number {
  const { positions: p, indices } = surface;
  const a = 3 * indices[3 * triangle];
  const b = 3 * indices[3 * triangle + 1];
  const c = 3 * indices[3 * triangle + 2];
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const wx = points[point] - p[a];
  const wy = points[point + 1] - p[a + 1];
  const wz = points[point + 2] - p[a + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const ww = wx * wx + wy * wy + wz * wz;
  const area = uu * vv - uv * uv;
  if (area > 0) {
    const s = (vv * uw - uv * vw) / area;
    const t = (uu * vw - uv * uw) / area;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      const x = wx - s * ux - t * vx;
      const y = wy - s * uy - t * vy;
      const z = wz - s * uz - t * vz;
      return x * x + y * y + z * z;
    }
  }
  // On the side from b to c: w - u along v - u.
  const dd = uu + vv - 2 * uv;
  return Math.min(
    squaredDistanceFromSide(ww, uw, uu),
    squaredDistanceFromSide(ww, vw, vv),
    squaredDistanceFromSide(ww + uu - 2 * uw, vw - uw - uv + uu, dd),
  );
}

/**
 * @param ww the squared length of the way from the side's start to the point
 * @param dw its product with the side
 * @param dd the squared length of the side
 */
function squaredDistanceFromSide(ww: number, dw: number, dd: number): number {
  const share = dd > 0 ? Math.min(1, Math.max(0, dw / dd)) : 0;
  return Math.max(0, ww - 2 * share * dw + share * share * dd);
}
