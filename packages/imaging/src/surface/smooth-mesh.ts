import { countTriangles, type Mesh } from "../mesh/mesh.ts";

/**
 * Removes the voxels' steps from a surface without shrinking it: each vertex moves towards the mean of its neighbours,
 * then a little further back. Source: G. Taubin, A signal processing approach to fair surface design, 1995.
 * @param rounds 0 leaves the surface as it is
 */
export function smoothMesh(mesh: Mesh, rounds: number): Mesh {
  if (rounds === 0 || !mesh.indices) return mesh;
  const { starts, neighbours } = buildAdjacency(mesh);
  let from: Float32Array = mesh.positions;
  let to: Float32Array = new Float32Array(from.length);
  for (let step = 0; step < 2 * rounds; step++) {
    const share = step % 2 === 0 ? 0.5 : -0.53;
    for (let vertex = 0; vertex + 1 < starts.length; vertex++) {
      const count = starts[vertex + 1] - starts[vertex];
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let at = starts[vertex]; at < starts[vertex + 1]; at++) sum += from[3 * neighbours[at] + axis];
        const own = from[3 * vertex + axis];
        to[3 * vertex + axis] = count > 0 ? own + share * (sum / count - own) : own;
      }
    }
    [from, to] = [to, step === 0 ? new Float32Array(from.length) : from];
  }
  return { ...mesh, positions: from };
}

/** Each vertex's neighbours, one after another; on a closed surface each is the start of one edge of a triangle. */
function buildAdjacency(mesh: Mesh): { starts: Uint32Array; neighbours: Uint32Array } {
  const indices = mesh.indices ?? new Uint32Array();
  const starts = new Uint32Array(mesh.positions.length / 3 + 1);
  for (const vertex of indices) starts[vertex + 1]++;
  for (let at = 1; at < starts.length; at++) starts[at] += starts[at - 1];
  const next = starts.slice(0, -1);
  const neighbours = new Uint32Array(indices.length);
  for (let t = 0; t < countTriangles(mesh); t++)
    for (let corner = 0; corner < 3; corner++)
      neighbours[next[indices[3 * t + corner]]++] = indices[3 * t + ((corner + 1) % 3)];
  return { starts, neighbours };
}
