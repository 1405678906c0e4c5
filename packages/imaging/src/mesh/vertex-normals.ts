import { countTriangles, type Mesh } from "./mesh.ts";

/** The outward unit normal of each vertex, x y z one after another: the mean of its triangles by their areas. */
export function computeVertexNormals({ positions, indices, colours }: Mesh): Float32Array<ArrayBuffer> {
  const p = positions;
  const normals = new Float32Array(p.length);
  const corners = 3 * countTriangles({ positions, indices, colours });
  // Plain numbers and no arrays: millions of triangles come by.
  for (let at = 0; at < corners; at += 3) {
    const a = 3 * (indices ? indices[at] : at);
    const b = 3 * (indices ? indices[at + 1] : at + 1);
    const c = 3 * (indices ? indices[at + 2] : at + 2);
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
  for (let at = 0; at < normals.length; at += 3) {
    const x = normals[at];
    const y = normals[at + 1];
    const z = normals[at + 2];
    const size = Math.sqrt(x * x + y * y + z * z) || 1;
    normals[at] = x / size;
    normals[at + 1] = y / size;
    normals[at + 2] = z / size;
  }
  return normals;
}
