import { GrowableFloatArray, GrowableIndexArray } from "./growable-array.ts";
import { MeshError } from "./mesh-error.ts";
import type { Mesh } from "./mesh.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

/** Wavefront OBJ: vertices (with colours behind the coordinates), faces as fans; materials and normals are left out. */
export function readObj(bytes: Uint8Array): Mesh {
  const tokens = new TextTokenizer(bytes);
  const positions = new GrowableFloatArray();
  const colours = new GrowableFloatArray();
  const indices = new GrowableIndexArray();
  let keywordCount = 0;
  for (; !tokens.isDone; tokens.skipLine()) {
    const word = tokens.readWordInLine();
    if (word === "v") readVertex(tokens, positions, colours);
    else if (word === "f") readFace(tokens, positions.length / 3, indices);
    else if (!ignoredKeywords.test(word)) continue;
    keywordCount++;
  }
  if (keywordCount === 0) throw new MeshError("notMesh");
  return {
    positions: positions.toArray(),
    indices: indices.toArray(),
    colours: colours.length === positions.length && colours.length > 0 ? toColourBytes(colours.toArray()) : null,
  };
}

const ignoredKeywords = /^(vt|vn|vp|l|p|o|g|s|mtllib|usemtl)$/;

function readVertex(tokens: TextTokenizer, positions: GrowableFloatArray, colours: GrowableFloatArray): void {
  const values: number[] = [];
  for (let value = tokens.readNumberInLine(); value !== null; value = tokens.readNumberInLine()) values.push(value);
  if (values.length < 3) throw new MeshError("truncated");
  positions.push3(values[0], values[1], values[2]);
  // Six numbers: x y z r g b. Four or seven: a weight precedes the colour.
  if (values.length === 6) colours.push3(values[3], values[4], values[5]);
  if (values.length === 7) colours.push3(values[4], values[5], values[6]);
}

function readFace(tokens: TextTokenizer, vertices: number, indices: GrowableIndexArray): void {
  let first = -1;
  let last = -1;
  for (let corner = tokens.readWordInLine(); corner !== ""; corner = tokens.readWordInLine()) {
    const number = Number.parseInt(corner, 10);
    if (!(number > 0 || -number <= vertices) || number === 0) throw new MeshError("badNumbers");
    const index = number > 0 ? number - 1 : vertices + number;
    if (first < 0) first = index;
    else if (last < 0) last = index;
    else {
      indices.push3(first, last, index);
      last = index;
    }
  }
}

/** Colours are 0…1 by custom; some programs write 0…255. */
function toColourBytes(colours: Float32Array): Uint8Array {
  const scale = colours.some((value) => value > 1) ? 1 : 255;
  return Uint8Array.from(colours, (value) => Math.max(0, Math.min(255, Math.round(value * scale))));
}
