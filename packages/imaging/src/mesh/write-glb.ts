import { convertSrgbToLinear } from "./srgb-to-linear.ts";
import { weld, type Mesh, computeBounds } from "./mesh.ts";
import { MeshError } from "./mesh-error.ts";
import type { GlbMesh } from "./read-glb.ts";

/** The required part of meshoptimizer's encoder, already initialised. */
export interface GlbEncoder {
  reorderMesh(indices: Uint32Array, triangles: boolean, optsize: boolean): [Uint32Array, number];
  encodeGltfBuffer(source: Uint8Array, count: number, size: number, mode: string, version: number): Uint8Array;
}

export interface Glb {
  bytes: Uint8Array<ArrayBuffer>;
  /** The most that a vertex has moved, in mm. */
  error: number;
}

/**
 * Writes a surface as glTF 2.0 for the screen (binary, EXT_meshopt_compression, KHR_mesh_quantization): equal vertices
 * joined, positions rounded to a grid of 4 µm, sRGB bytes as linear light, no normals. The same mesh produces the same
 * bytes. glTF counts in metres and its Y is up: the node scales mm to metres and leaves the axes as the file has them.
 */
export function writeGlb(mesh: Mesh, encoder: GlbEncoder): Glb {
  const { positions, indices, colours } = weld(mesh);
  return writeJoinedGlb(
    { positions, indices: indices ?? new Uint32Array(), colours: colours && convertSrgbToLinear(colours) },
    encoder,
  );
}

/** Writes a surface whose equal vertices are joined already, as `writeGlb` does. */
export function writeJoinedGlb(mesh: GlbMesh, encoder: GlbEncoder): Glb {
  const { positions, indices, colours } = reorderVertices(mesh, encoder);
  const grid = createQuantizationGrid(positions);
  const { places: quantized, error } = quantizePositions(positions, grid);
  const count = positions.length / 3;
  const parts: GlbPart[] = [
    encodePart(encoder, new Uint8Array(quantized.buffer), { count, stride: 8, mode: "ATTRIBUTES" }),
    ...(colours ? [encodePart(encoder, addAlpha(colours), { count, stride: 8, mode: "ATTRIBUTES" })] : []),
    encodePart(encoder, new Uint8Array(indices.buffer), { count: indices.length, stride: 4, mode: "TRIANGLES" }),
  ];
  return { bytes: buildContainer(parts, grid, getQuantizedBounds(quantized)), error };
}

/** A cube of positions that 16 bits can count: `origin` and `step` in mm. */
interface QuantizationGrid {
  origin: number[];
  step: number;
}

/** mm. A vertex moves by half the diagonal of a cell at most: 3.5 µm, a fraction of any scanner's error. */
const minStep = 0.004;

/** The finest grid that holds the whole surface: 4 µm up to 26 cm, coarser beyond. */
function createQuantizationGrid(positions: Float32Array): QuantizationGrid {
  const { min, max } = computeBounds({ positions } as Mesh);
  const longest = Math.max(...max.map((high, axis) => high - min[axis]));
  return { origin: [...min], step: Math.max(minStep, longest / 0xffff) };
}

/** Each vertex's place, x y z and a zero, and the farthest that one has moved, in mm. */
function quantizePositions(
  positions: Float32Array,
  { origin, step }: QuantizationGrid,
): { places: Uint16Array<ArrayBuffer>; error: number } {
  const places = new Uint16Array((positions.length / 3) * 4);
  let worst = 0;
  for (let v = 0; v < positions.length / 3; v++) {
    let off = 0;
    for (let i = 0; i < 3; i++) {
      const place = Math.min(0xffff, Math.round((positions[3 * v + i] - origin[i]) / step));
      places[4 * v + i] = place;
      off += (origin[i] + place * step - positions[3 * v + i]) ** 2;
    }
    worst = Math.max(worst, off);
  }
  return { places, error: Math.sqrt(worst) };
}

/** Vertices in the order in which triangles first need them: neighbours in the file differ little. */
function reorderVertices(mesh: GlbMesh, encoder: GlbEncoder): GlbMesh {
  if (mesh.indices.length === 0) throw new MeshError("noTriangles");
  const indices = mesh.indices.slice();
  const [quantized, used] = encoder.reorderMesh(indices, true, true);
  const move = <T extends Float32Array | Uint16Array>(from: T, to: T): T => {
    for (let v = 0; v < quantized.length; v++)
      if (quantized[v] !== unusedVertex) for (let i = 0; i < 3; i++) to[3 * quantized[v] + i] = from[3 * v + i];
    return to;
  };
  return {
    positions: move(mesh.positions, new Float32Array(3 * used)),
    colours: mesh.colours && move(mesh.colours, new Uint16Array(3 * used)),
    indices,
  };
}

const unusedVertex = 0xffffffff;

/** Red, green, blue and an alpha of one: attributes are packed in steps of four bytes. */
function addAlpha(linear: Uint16Array): Uint8Array {
  const out = new Uint16Array((linear.length / 3) * 4).fill(0xffff);
  for (let v = 0; v < linear.length / 3; v++) for (let i = 0; i < 3; i++) out[4 * v + i] = linear[3 * v + i];
  return new Uint8Array(out.buffer);
}

interface GlbPart {
  packed: Uint8Array;
  bytes: number;
  count: number;
  stride: number;
  mode: "ATTRIBUTES" | "TRIANGLES";
}

const encodePart = (
  encoder: GlbEncoder,
  bytes: Uint8Array,
  shape: Pick<GlbPart, "count" | "stride" | "mode">,
): GlbPart => ({
  ...shape,
  bytes: bytes.length,
  packed: encoder.encodeGltfBuffer(bytes, shape.count, shape.stride, shape.mode, 0),
});

function getQuantizedBounds(quantized: Uint16Array): { min: number[]; max: number[] } {
  const [min, max] = [
    [0xffff, 0xffff, 0xffff],
    [0, 0, 0],
  ];
  for (let at = 0; at < quantized.length; at++) {
    const axis = at % 4;
    if (axis === 3) continue;
    min[axis] = Math.min(min[axis], quantized[at]);
    max[axis] = Math.max(max[axis], quantized[at]);
  }
  return { min, max };
}

const [unsignedShort, unsignedInt] = [5123, 5125];
const [arrayBuffer, elementBuffer] = [34962, 34963];
const [glbMagic, jsonChunk, binaryChunk] = [0x46546c67, 0x4e4f534a, 0x004e4942];

function buildContainer(
  parts: readonly GlbPart[],
  grid: QuantizationGrid,
  bounds: { min: number[]; max: number[] },
): Uint8Array<ArrayBuffer> {
  const partStarts = parts.map((_, at) =>
    parts.slice(0, at).reduce((sum, { packed }) => sum + padToFour(packed.length), 0),
  );
  const packed = parts.reduce((sum, one) => sum + padToFour(one.packed.length), 0);
  const json = new TextEncoder().encode(
    JSON.stringify(buildGltfJson(parts, { starts: partStarts, packed, grid, bounds })),
  );
  const out = new Uint8Array(20 + padToFour(json.length) + 8 + packed);
  const view = new DataView(out.buffer);
  const words = [glbMagic, 2, out.length, padToFour(json.length), jsonChunk];
  words.forEach((word, at) => view.setUint32(4 * at, word, true));
  // JSON is filled up with spaces, glTF 2.0 4.4.3.2.
  out.fill(0x20, 20, 20 + padToFour(json.length));
  out.set(json, 20);
  const binary = 20 + padToFour(json.length);
  view.setUint32(binary, packed, true);
  view.setUint32(binary + 4, binaryChunk, true);
  parts.forEach((one, at) => out.set(one.packed, binary + 8 + partStarts[at]));
  return out;
}

const padToFour = (length: number): number => Math.ceil(length / 4) * 4;

interface Layout {
  starts: number[];
  packed: number;
  grid: QuantizationGrid;
  bounds: { min: number[]; max: number[] };
}

function buildGltfJson(parts: readonly GlbPart[], { starts: partStarts, packed, grid, bounds }: Layout): object {
  const extensions = ["EXT_meshopt_compression", "KHR_mesh_quantization"];
  const last = parts.length - 1;
  const unpacked = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const unpackedStart = (at: number) => parts.slice(0, at).reduce((sum, { bytes }) => sum + bytes, 0);
  const metre = 0.001;
  return {
    asset: { version: "2.0", generator: "Arcada" },
    extensionsUsed: extensions,
    extensionsRequired: extensions,
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { mesh: 0, translation: grid.origin.map((mm) => mm * metre), scale: Array<number>(3).fill(grid.step * metre) },
    ],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0, ...(last > 1 && { COLOR_0: 1 }) }, indices: last, material: 0 }] },
    ],
    materials: [{ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.55 }, doubleSided: true }],
    accessors: parts.map(({ count, mode }, at) =>
      mode === "TRIANGLES"
        ? { bufferView: at, componentType: unsignedInt, count, type: "SCALAR" }
        : at === 0
          ? { bufferView: at, componentType: unsignedShort, count, type: "VEC3", ...bounds }
          : { bufferView: at, componentType: unsignedShort, count, type: "VEC4", normalized: true },
    ),
    bufferViews: parts.map(({ bytes, packed: packedPart, count, stride, mode }, at) => ({
      buffer: 1,
      byteOffset: unpackedStart(at),
      byteLength: bytes,
      ...(mode === "ATTRIBUTES" && { byteStride: stride }),
      target: mode === "ATTRIBUTES" ? arrayBuffer : elementBuffer,
      extensions: {
        EXT_meshopt_compression: {
          buffer: 0,
          byteOffset: partStarts[at],
          byteLength: packedPart.length,
          byteStride: stride,
          mode,
          count,
        },
      },
    })),
    // The second buffer is the target of a reader's decompression: it has no bytes in the file.
    buffers: [
      { byteLength: packed },
      { byteLength: unpacked, extensions: { EXT_meshopt_compression: { fallback: true } } },
    ],
  };
}
