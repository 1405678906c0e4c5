import { GrowableIndexArray } from "./growable-array.ts";
import { MeshError } from "./mesh-error.ts";
import type { Mesh } from "./mesh.ts";
import { readPlyHeader, type PlyElement, type PlyHeader } from "./ply-header.ts";
import { openPlyValues, type PlyValues } from "./ply-values.ts";

/** PLY in its three formats, vertex colours as bytes or 0…1; polygons become fans. Other elements are passed over. */
export function readPly(bytes: Uint8Array): Mesh {
  const header = readPlyHeader(bytes);
  const values = openPlyValues(bytes, header);
  let vertices: Vertices = { positions: new Float32Array(0), colours: null };
  const indices = new GrowableIndexArray();
  for (const element of header.elements) {
    if (element.count > values.remaining / getMinRowBytes(element, header)) throw new MeshError("truncated");
    if (element.name === "vertex") vertices = readVertices(element, values);
    else if (element.name === "face") readFaces(element, values, indices);
    else if (element.name === "tristrips") readStrips(element, values, indices);
    else skipElement(element, values);
  }
  return { ...vertices, indices: indices.toArray() };
}

type Vertices = Pick<Mesh, "positions" | "colours">;

/** The fewest bytes of one row: the header's claims are checked against them before anything is allocated. */
function getMinRowBytes(element: PlyElement, header: PlyHeader): number {
  if (header.format === "ascii") return Math.max(1, 2 * element.properties.length - 1);
  return element.properties.reduce((sum, { type, count }) => sum + (count ?? type).size, 0) || 1;
}

const colourNames: readonly (readonly string[])[] = [
  ["red", "green", "blue"],
  ["diffuse_red", "diffuse_green", "diffuse_blue"],
  ["r", "g", "b"],
];

function readVertices(element: PlyElement, values: PlyValues): Vertices {
  const names = element.properties.map(({ name }) => name);
  const positionColumns = ["x", "y", "z"].map((name) => names.indexOf(name));
  if (positionColumns.includes(-1)) throw new MeshError("notMesh");
  const colourColumns = colourNames
    .map((set) => set.map((name) => names.indexOf(name)))
    .find((set) => !set.includes(-1));
  const scale = colourColumns && element.properties[colourColumns[0]].type.isFloat ? 255 : 1;
  const positions = new Float32Array(3 * element.count);
  const colours = colourColumns ? new Uint8ClampedArray(3 * element.count) : null;
  const row = new Float64Array(names.length);
  for (let v = 0; v < element.count; v++) {
    readRow(element, values, row);
    for (let i = 0; i < 3; i++) positions[3 * v + i] = row[positionColumns[i]];
    if (colourColumns && colours) for (let i = 0; i < 3; i++) colours[3 * v + i] = scale * row[colourColumns[i]];
  }
  return { positions, colours: colours && new Uint8Array(colours.buffer) };
}

function readRow(element: PlyElement, values: PlyValues, row: Float64Array): void {
  for (let p = 0; p < row.length; p++) {
    const { type, count } = element.properties[p];
    if (count) values.skip(type, checkListLength(values.next(count)));
    else row[p] = values.next(type);
  }
}

function readFaces(element: PlyElement, values: PlyValues, indices: GrowableIndexArray): void {
  for (let f = 0; f < element.count; f++) {
    for (const { name, type, count } of element.properties) {
      if (!count) values.next(type);
      else if (/^vertex_ind(ex|ices)$/.test(name))
        readFan(checkListLength(values.next(count)), () => values.next(type), indices);
      else values.skip(type, checkListLength(values.next(count)));
    }
  }
}

function readFan(corners: number, next: () => number, indices: GrowableIndexArray): void {
  const first = corners > 0 ? checkVertexIndex(next()) : 0;
  let last = corners > 1 ? checkVertexIndex(next()) : 0;
  for (let i = 2; i < corners; i++) {
    const index = checkVertexIndex(next());
    indices.push3(first, last, index);
    last = index;
  }
}

/** Strips as Stanford's scans hold them: -1 starts a new one, every second triangle is turned round. */
function readStrips(element: PlyElement, values: PlyValues, indices: GrowableIndexArray): void {
  for (let row = 0; row < element.count; row++) {
    for (const { type, count } of element.properties) {
      const length = count ? checkListLength(values.next(count)) : 1;
      const strip: number[] = [];
      for (let i = 0; i < length; i++) {
        const index = values.next(type);
        if (index === -1) strip.length = 0;
        else strip.push(checkVertexIndex(index));
        const at = strip.length - 3;
        if (at >= 0 && index !== -1) indices.push3(strip[at], strip[at + 1 + (at % 2)], strip[at + 2 - (at % 2)]);
      }
    }
  }
}

function skipElement(element: PlyElement, values: PlyValues): void {
  const row = new Float64Array(element.properties.length);
  for (let i = 0; i < element.count; i++) readRow(element, values, row);
}

function checkListLength(value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new MeshError("badNumbers");
  return value;
}

function checkVertexIndex(value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new MeshError("badNumbers");
  return value;
}
