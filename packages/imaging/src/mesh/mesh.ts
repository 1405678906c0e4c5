/**
 * A triangle surface in mm.
 * `positions`: x y z per vertex. `indices`: three per triangle, or null when every three vertices are a triangle.
 * `colours`: red green blue per vertex, sRGB bytes.
 */
export type Mesh = {
  positions: Float32Array;
  indices: Uint32Array | null;
  colours: Uint8Array | null;
};

export type Point = readonly [x: number, y: number, z: number];

export type Bounds = { min: Point; max: Point };

export const countTriangles = (mesh: Mesh): number => (mesh.indices?.length ?? mesh.positions.length / 3) / 3;

export const countVertices = (mesh: Mesh): number => mesh.positions.length / 3;

/** The box around all vertices, in mm; all zero for an empty mesh. */
export function computeBounds(mesh: Mesh): Bounds {
  const { positions } = mesh;
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < low[axis]) low[axis] = positions[i];
    if (positions[i] > high[axis]) high[axis] = positions[i];
  }
  return { min: [low[0], low[1], low[2]], max: [high[0], high[1], high[2]] };
}

/**
 * Enclosed volume in mm³ by the divergence theorem, positive when the triangles face outwards.
 * Without meaning for a surface that is not closed.
 */
export function computeEnclosedVolume(mesh: Mesh): number {
  const { min, max } = computeBounds(mesh);
  const centre = min.map((low, axis) => (low + max[axis]) / 2);
  const p = mesh.positions;
  let sum = 0;
  for (let t = 0; t < countTriangles(mesh); t++) {
    const [a, b, c] = getTriangleCorners(mesh, t);
    const [ax, ay, az] = [p[a] - centre[0], p[a + 1] - centre[1], p[a + 2] - centre[2]];
    const [bx, by, bz] = [p[b] - centre[0], p[b + 1] - centre[1], p[b + 2] - centre[2]];
    const [cx, cy, cz] = [p[c] - centre[0], p[c + 1] - centre[1], p[c + 2] - centre[2]];
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum / 6;
}

/** Returns the start indices of a triangle's three corners in `positions`. */
export function getTriangleCorners(mesh: Mesh, triangle: number): [number, number, number] {
  const at = 3 * triangle;
  const { indices } = mesh;
  return indices ? [3 * indices[at], 3 * indices[at + 1], 3 * indices[at + 2]] : [3 * at, 3 * at + 3, 3 * at + 6];
}

/**
 * Joins vertices at the same position (and, with colours, of the first one's colour); triangles that become a line are
 * removed.
 * @param tolerance mm: positions are rounded to this grid; 0 joins exact equals only
 */
export function weld(mesh: Mesh, tolerance = 0): Mesh {
  const { positions, colours } = mesh;
  const count = countVertices(mesh);
  const kept = new Float32Array(positions.length);
  const keptColours = colours && new Uint8Array(colours.length);
  const weldedIndex = new Uint32Array(count);
  const vertexTable = new VertexTable(count, tolerance);
  let used = 0;
  for (let v = 0; v < count; v++) {
    const at = 3 * v;
    const found = vertexTable.add(positions[at], positions[at + 1], positions[at + 2], used);
    weldedIndex[v] = found;
    if (found < used) continue;
    kept.set(positions.subarray(at, at + 3), 3 * used);
    if (colours) keptColours?.set(colours.subarray(at, at + 3), 3 * used);
    used++;
  }
  return {
    positions: kept.slice(0, 3 * used),
    indices: remapTriangles(mesh, weldedIndex),
    colours: keptColours && keptColours.slice(0, 3 * used),
  };
}

function remapTriangles(mesh: Mesh, weldedIndex: Uint32Array): Uint32Array {
  const triangles = countTriangles(mesh);
  const indices = new Uint32Array(3 * triangles);
  let used = 0;
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = getTriangleCorners(mesh, t).map((at) => weldedIndex[at / 3]);
    if (a === b || b === c || c === a) continue;
    indices[used++] = a;
    indices[used++] = b;
    indices[used++] = c;
  }
  return indices.slice(0, used);
}

/** An open hash table from a position to the number given to it first: a Map of strings takes ten times as long. */
class VertexTable {
  private readonly mask: number;
  private readonly slots: Int32Array;
  private readonly keys: Float64Array;
  private readonly tolerance: number;

  constructor(count: number, tolerance: number) {
    let size = 16;
    while (size < 2 * count) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    this.keys = new Float64Array(3 * count);
    this.tolerance = tolerance;
  }

  add(x: number, y: number, z: number, number: number): number {
    const [kx, ky, kz] = [this.key(x), this.key(y), this.key(z)];
    let slot = (hash(kx) ^ Math.imul(hash(ky), 0x9e3779b1) ^ Math.imul(hash(kz), 0x85ebca77)) & this.mask;
    for (;;) {
      const held = this.slots[slot];
      if (held < 0) break;
      if (this.keys[3 * held] === kx && this.keys[3 * held + 1] === ky && this.keys[3 * held + 2] === kz) return held;
      slot = (slot + 1) & this.mask;
    }
    this.slots[slot] = number;
    this.keys.set([kx, ky, kz], 3 * number);
    return number;
  }

  // Adding 0 makes -0 and 0 one place.
  private key(value: number): number {
    return (this.tolerance > 0 ? Math.round(value / this.tolerance) : value) + 0;
  }
}

const hashFloat = new Float32Array(1);
const hashBits = new Int32Array(hashFloat.buffer);

function hash(value: number): number {
  hashFloat[0] = value;
  const mixed = Math.imul(hashBits[0] ^ (hashBits[0] >>> 16), 0x7feb352d);
  return mixed ^ (mixed >>> 15);
}
