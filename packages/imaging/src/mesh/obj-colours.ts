import { GrowableFloatArray } from "./growable-array.ts";
import { readRestOfLine } from "./obj-materials.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

/** A decoded image: red green blue, `[row][column]`. */
export interface TextureImage {
  columns: number;
  rows: number;
  data: Uint8Array;
}
export interface TexturedMaterial {
  colour: readonly [number, number, number];
  texture: TextureImage | null;
}

/**
 * The colour of each vertex of an OBJ (sRGB bytes): that of the material of the first face with the vertex, or of the
 * material's texture image at that face. Null where no face has a material of these.
 * @param vertices the number of the OBJ's vertices
 */
export function computeObjColours(
  obj: Uint8Array,
  vertices: number,
  materials: ReadonlyMap<string, TexturedMaterial>,
): Uint8Array | null {
  const tokens = new TextTokenizer(obj);
  const places = new GrowableFloatArray();
  const colours = new Uint8Array(3 * vertices).fill(204);
  const known = new Uint8Array(vertices);
  let seen = 0;
  let current: TexturedMaterial | undefined;
  let isAny = false;
  for (; !tokens.isDone; tokens.skipLine()) {
    const word = tokens.readWordInLine();
    if (word === "v") seen++;
    else if (word === "vt") places.push3(tokens.readNumberInLine() ?? 0, tokens.readNumberInLine() ?? 0, 0);
    else if (word === "usemtl") current = materials.get(readRestOfLine(tokens));
    else if (word === "f" && current) {
      for (let corner = tokens.readWordInLine(); corner !== ""; corner = tokens.readWordInLine()) {
        const [vertex = Number.NaN, place = Number.NaN] = corner.split("/", 2).map(Number);
        const at = vertex > 0 ? vertex - 1 : seen + vertex;
        if (!(at >= 0 && at < vertices) || known[at]) continue;
        known[at] = 1;
        isAny = true;
        colours.set(getVertexColour(current, places, place), 3 * at);
      }
    }
  }
  return isAny ? colours : null;
}

function getVertexColour(
  { colour, texture }: TexturedMaterial,
  places: GrowableFloatArray,
  place: number,
): ArrayLike<number> {
  const count = places.length / 3;
  const index = place > 0 ? place - 1 : count + place;
  if (!texture || !(index >= 0 && index < count)) return colour;
  const [u, v] = [places.at(3 * index), places.at(3 * index + 1)];
  // v goes upwards from the image's lower edge; coordinates outside repeat.
  const column = Math.min(texture.columns - 1, Math.floor((u - Math.floor(u)) * texture.columns));
  const row = Math.min(texture.rows - 1, Math.floor((1 - (v - Math.floor(v))) * texture.rows));
  const from = 3 * (row * texture.columns + column);
  return texture.data.subarray(from, from + 3);
}
