import { computeEnclosedVolume, type Mesh } from "../mesh/mesh.ts";

/** Parts with less than this share of the whole are crumbs. */
const leastShare = 0.02;
/** mm³; smaller hollows are filled. */
const leastHollow = 1;

/**
 * Removes crumbs and small hollows from a closed surface.
 * @returns the rest, how many separate bodies it has, and its volume in mm³
 */
export function keepLargeParts(mesh: Mesh): { mesh: Mesh; parts: number; volume: number } {
  const indices = mesh.indices ?? new Uint32Array();
  const groups = Map.groupBy(listTrianglesWithRoot(indices, mesh.positions.length / 3), ([root]) => root);
  const bodies = [...groups.values()].map((triangles) => {
    const own = Uint32Array.from(triangles.flatMap(([, t]) => [indices[t], indices[t + 1], indices[t + 2]]));
    return { indices: own, volume: computeEnclosedVolume({ ...mesh, indices: own }) };
  });
  const whole = bodies.reduce((sum, { volume }) => sum + Math.max(0, volume), 0);
  const kept = bodies.filter(({ volume }) => volume >= whole * leastShare || volume <= -leastHollow);
  return {
    mesh: takeUsedVertices(
      mesh,
      kept.map((body) => body.indices),
    ),
    parts: kept.filter(({ volume }) => volume > 0).length,
    volume: kept.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** Every triangle's start in `indices`, with one vertex that stands for all that are joined with it. */
function listTrianglesWithRoot(indices: Uint32Array, vertices: number): [root: number, at: number][] {
  const parent = Uint32Array.from({ length: vertices }, (_, vertex) => vertex);
  const find = (vertex: number): number => {
    let root = vertex;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  };
  for (let t = 0; t < indices.length; t += 3)
    for (const other of [indices[t + 1], indices[t + 2]]) parent[find(other)] = find(indices[t]);
  return Array.from({ length: indices.length / 3 }, (_, t) => [find(indices[3 * t]), 3 * t]);
}

function takeUsedVertices(mesh: Mesh, bodies: readonly Uint32Array[]): Mesh {
  const renamed = new Int32Array(mesh.positions.length / 3).fill(-1);
  const count = bodies.reduce((sum, body) => sum + body.length, 0);
  const indices = new Uint32Array(count);
  const positions = new Float32Array(mesh.positions.length);
  let [used, at] = [0, 0];
  for (const body of bodies)
    for (const vertex of body) {
      if (renamed[vertex] < 0) {
        positions.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * used);
        renamed[vertex] = used++;
      }
      indices[at++] = renamed[vertex];
    }
  return { positions: positions.slice(0, 3 * used), indices, colours: null };
}
