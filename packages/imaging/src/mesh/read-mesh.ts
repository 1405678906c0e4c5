import type { Mesh } from "./mesh.ts";
import { MeshError } from "./mesh-error.ts";
import { read3mf } from "./read-3mf.ts";
import { readObj } from "./read-obj.ts";
import { readPly } from "./read-ply.ts";
import { readStl } from "./read-stl.ts";
import { unpack3mf } from "./unpack-3mf.ts";

export type MeshFormat = "stl" | "ply" | "obj" | "3mf";

/**
 * Reads a surface file. Coordinates are taken as mm, as all dental scanners write them; 3MF states its unit.
 * STL comes without indices (see `weld`); PLY and OBJ with the vertices of the file.
 * Throws MeshError; what a header claims is never allocated before the bytes behind it are seen.
 */
export function readMesh(bytes: Uint8Array, kind: MeshFormat): Mesh {
  if (bytes.length === 0) throw new MeshError("empty");
  const mesh = readers[kind](bytes);
  if ((mesh.indices?.length ?? mesh.positions.length) === 0) throw new MeshError("noTriangles");
  if (!areAllFinite(mesh.positions)) throw new MeshError("badNumbers");
  if (mesh.indices && !areAllWithin(mesh.indices, mesh.positions.length / 3)) throw new MeshError("badNumbers");
  return mesh;
}

const readers: Record<MeshFormat, (bytes: Uint8Array) => Mesh> = {
  stl: readStl,
  ply: readPly,
  obj: readObj,
  "3mf": (bytes) => read3mf(unpack3mf(bytes)),
};

function areAllFinite(values: Float32Array): boolean {
  for (const value of values) if (!Number.isFinite(value)) return false;
  return true;
}

function areAllWithin(indices: Uint32Array, count: number): boolean {
  for (const index of indices) if (index >= count) return false;
  return true;
}
