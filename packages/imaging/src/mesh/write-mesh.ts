import { getTriangleCorners, countTriangles, countVertices, type Mesh } from "./mesh.ts";

/**
 * A binary STL with a normal for each triangle.
 * @param header up to 80 ASCII characters; it may not begin with "solid", which readers take for the text form
 */
export function writeStl(mesh: Mesh, header = "Arcada"): Uint8Array<ArrayBuffer> {
  if (/^\s*solid/.test(header)) throw new RangeError('an STL header may not begin with "solid"');
  const triangles = countTriangles(mesh);
  const bytes = new Uint8Array(84 + 50 * triangles);
  new TextEncoder().encodeInto(header, bytes.subarray(0, 80));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, triangles, true);
  for (let t = 0; t < triangles; t++) {
    const at = 84 + 50 * t;
    const places = getTriangleCorners(mesh, t);
    computeFaceNormal(mesh.positions, places).forEach((value, i) => view.setFloat32(at + 4 * i, value, true));
    places.forEach((place, corner) => {
      for (let i = 0; i < 3; i++) view.setFloat32(at + 12 + 12 * corner + 4 * i, mesh.positions[place + i], true);
    });
  }
  return bytes;
}

/** A binary little-endian PLY, with `red green blue` bytes when the mesh has colours. */
export function writePly(mesh: Mesh): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(createPlyHeader(mesh));
  const vertices = countVertices(mesh);
  const triangles = countTriangles(mesh);
  const stride = mesh.colours ? 15 : 12;
  const bytes = new Uint8Array(head.length + stride * vertices + 13 * triangles);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  let at = head.length;
  for (let v = 0; v < vertices; v++, at += stride) {
    for (let i = 0; i < 3; i++) view.setFloat32(at + 4 * i, mesh.positions[3 * v + i], true);
    if (mesh.colours) bytes.set(mesh.colours.subarray(3 * v, 3 * v + 3), at + 12);
  }
  for (let t = 0; t < triangles; t++, at += 13) {
    view.setUint8(at, 3);
    getTriangleCorners(mesh, t).forEach((place, i) => view.setUint32(at + 1 + 4 * i, place / 3, true));
  }
  return bytes;
}

const createPlyHeader = (mesh: Mesh): string =>
  [
    "ply",
    "format binary_little_endian 1.0",
    "comment Arcada",
    `element vertex ${countVertices(mesh)}`,
    "property float x",
    "property float y",
    "property float z",
    ...(mesh.colours ? ["property uchar red", "property uchar green", "property uchar blue"] : []),
    `element face ${countTriangles(mesh)}`,
    "property list uchar int vertex_indices",
    "end_header",
    "",
  ].join("\n");

function computeFaceNormal(p: Float32Array, [a, b, c]: [number, number, number]): number[] {
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...normal) || 1;
  return normal.map((value) => value / length);
}
