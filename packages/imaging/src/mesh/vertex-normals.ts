import { getTriangleCorners, countTriangles, type Mesh } from "./mesh.ts";

/** The outward unit normal of each vertex, x y z one after another: the mean of its triangles by their areas. */
export function computeVertexNormals(mesh: Mesh): Float32Array<ArrayBuffer> {
  const p = mesh.positions;
  const normals = new Float32Array(p.length);
  for (let t = 0; t < countTriangles(mesh); t++) {
    const places = getTriangleCorners(mesh, t);
    const [a, b, c] = places;
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    for (const at of places) {
      normals[at] += uy * vz - uz * vy;
      normals[at + 1] += uz * vx - ux * vz;
      normals[at + 2] += ux * vy - uy * vx;
    }
  }
  for (let at = 0; at < normals.length; at += 3) {
    const size = Math.hypot(normals[at], normals[at + 1], normals[at + 2]) || 1;
    for (let axis = 0; axis < 3; axis++) normals[at + axis] /= size;
  }
  return normals;
}
