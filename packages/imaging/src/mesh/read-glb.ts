import { MeshError } from "./mesh-error.ts";

/** The required part of meshoptimizer's decoder, already initialised. */
export interface GlbDecoder {
  decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string): void;
}

/** A surface out of a GLB: as `Mesh`, but with colours as 16-bit linear light. */
export interface GlbMesh {
  positions: Float32Array;
  indices: Uint32Array;
  colours: Uint16Array | null;
}

/** Reads what `writeGlb` makes, and nothing else. Throws MeshError. */
export function readGlb(bytes: Uint8Array, decoder: GlbDecoder): GlbMesh {
  const { json, binary } = readChunks(bytes);
  try {
    return decodeMesh(json, binary, decoder);
  } catch {
    throw new MeshError("notMesh");
  }
}

interface CompressedBuffer {
  byteOffset: number;
  byteLength: number;
  byteStride: number;
  mode: string;
  count: number;
}
interface GlbJson {
  nodes: { translation: number[]; scale: number[] }[];
  meshes: { primitives: { attributes: { POSITION: number; COLOR_0?: number }; indices: number }[] }[];
  bufferViews: { extensions: { EXT_meshopt_compression: CompressedBuffer } }[];
}

function readChunks(bytes: Uint8Array): { json: GlbJson; binary: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 28 || view.getUint32(0, true) !== 0x46546c67) throw new MeshError("notMesh");
  if (view.getUint32(8, true) !== bytes.length) throw new MeshError("truncated");
  const jsonBytes = view.getUint32(12, true);
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonBytes))) as GlbJson;
    return { json, binary: bytes.subarray(28 + jsonBytes) };
  } catch {
    throw new MeshError("notMesh");
  }
}

function decodeMesh({ nodes, meshes, bufferViews }: GlbJson, binary: Uint8Array, decoder: GlbDecoder): GlbMesh {
  const decompress = (at: number): ArrayBuffer => {
    const { byteOffset, byteLength, byteStride, mode, count } = bufferViews[at].extensions.EXT_meshopt_compression;
    const out = new Uint8Array(count * byteStride);
    decoder.decodeGltfBuffer(out, count, byteStride, binary.subarray(byteOffset, byteOffset + byteLength), mode);
    return out.buffer;
  };
  const { attributes, indices } = meshes[0].primitives[0];
  const { COLOR_0: colour } = attributes;
  return {
    positions: dequantizeToMm(new Uint16Array(decompress(attributes.POSITION)), nodes[0]),
    indices: new Uint32Array(decompress(indices)),
    colours: colour === undefined ? null : dropAlpha(new Uint16Array(decompress(colour))),
  };
}

function dequantizeToMm(quantized: Uint16Array, { translation, scale }: GlbJson["nodes"][number]): Float32Array {
  const out = new Float32Array((quantized.length / 4) * 3);
  for (let v = 0; v < quantized.length / 4; v++)
    for (let i = 0; i < 3; i++) out[3 * v + i] = 1000 * (translation[i] + quantized[4 * v + i] * scale[i]);
  return out;
}

function dropAlpha(colours: Uint16Array): Uint16Array {
  const out = new Uint16Array((colours.length / 4) * 3);
  for (let v = 0; v < colours.length / 4; v++) for (let i = 0; i < 3; i++) out[3 * v + i] = colours[4 * v + i];
  return out;
}
