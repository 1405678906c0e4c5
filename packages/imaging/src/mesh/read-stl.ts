import { GrowableFloatArray } from "./growable-array.ts";
import { MeshError } from "./mesh-error.ts";
import type { Mesh } from "./mesh.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

const headerSize = 84;
const triangleSize = 50;

/** Reads an STL, binary or ASCII. Every triangle has its own three vertices. The stored normals are left out. */
export function readStl(bytes: Uint8Array): Mesh {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const claimedTriangles = bytes.length >= headerSize ? view.getUint32(80, true) : 0;
  // Many binary files begin with "solid" too: the size decides.
  if (claimedTriangles > 0 && headerSize + triangleSize * claimedTriangles === bytes.length)
    return readBinary(view, claimedTriangles);
  if (isAscii(bytes)) return readAscii(bytes);
  if (isText(bytes)) throw new MeshError("notMesh");
  if (bytes.length < headerSize) throw new MeshError("truncated");
  if (claimedTriangles === 0) throw new MeshError("noTriangles");
  if (headerSize + triangleSize * claimedTriangles > bytes.length) throw new MeshError("truncated");
  return readBinary(view, claimedTriangles);
}

function readBinary(view: DataView, triangles: number): Mesh {
  const positions = new Float32Array(9 * triangles);
  let at = headerSize;
  for (let t = 0; t < triangles; t++, at += triangleSize) {
    for (let i = 0; i < 9; i++) positions[9 * t + i] = view.getFloat32(at + 12 + 4 * i, true);
  }
  return { positions, indices: null, colours: null };
}

const readOpening = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes.subarray(0, 1024));

const isAscii = (bytes: Uint8Array): boolean => /^\s*solid\b/.test(readOpening(bytes)) && isText(bytes);

const isText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 1024).every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));

function readAscii(bytes: Uint8Array): Mesh {
  const tokens = new TextTokenizer(bytes);
  const positions = new GrowableFloatArray();
  let facets = 0;
  let ended = 0;
  let solids = 0;
  tokens.skipLine();
  while (!tokens.isDone) {
    const word = tokens.readWord();
    if (word === "vertex") positions.push3(tokens.readNumber(), tokens.readNumber(), tokens.readNumber());
    else if (word === "facet") facets++;
    else if (word === "endfacet") ended++;
    else if (word === "endsolid") {
      solids++;
      tokens.skipLine();
    } else if (word === "solid") tokens.skipLine();
  }
  if (facets === 0 && solids === 0) throw new MeshError("notMesh");
  if (facets !== ended || positions.length !== 9 * facets) throw new MeshError("truncated");
  return { positions: positions.toArray(), indices: null, colours: null };
}
