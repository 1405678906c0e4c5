import { GrowingFloats } from "./growing.ts";
import { restOfLine } from "./material.ts";
import { Tokens } from "./tokens.ts";

/** A decoded image: red green blue, `[row][column]`. */
export interface Texture {
  columns: number;
  rows: number;
  data: Uint8Array;
}
export interface Surface {
  colour: readonly [number, number, number];
  texture: Texture | null;
}

/**
 * The colour of each vertex of an OBJ (sRGB bytes): that of the material of the first face with the vertex, or of the
 * material's texture image at that face. Null where no face has a material of these.
 * @param vertices the number of the OBJ's vertices
 */
export function objColours(
  obj: Uint8Array,
  vertices: number,
  surfaces: ReadonlyMap<string, Surface>,
): Uint8Array | null {
  const tokens = new Tokens(obj);
  const places = new GrowingFloats();
  const colours = new Uint8Array(3 * vertices).fill(204);
  const known = new Uint8Array(vertices);
  let seen = 0;
  let current: Surface | undefined;
  let isAny = false;
  for (; !tokens.done; tokens.nextLine()) {
    const word = tokens.wordInLine();
    if (word === "v") seen++;
    else if (word === "vt") places.push3(tokens.numberInLine() ?? 0, tokens.numberInLine() ?? 0, 0);
    else if (word === "usemtl") current = surfaces.get(restOfLine(tokens));
    else if (word === "f" && current) {
      for (let corner = tokens.wordInLine(); corner !== ""; corner = tokens.wordInLine()) {
        const [vertex = Number.NaN, place = Number.NaN] = corner.split("/", 2).map(Number);
        const at = vertex > 0 ? vertex - 1 : seen + vertex;
        if (!(at >= 0 && at < vertices) || known[at]) continue;
        known[at] = 1;
        isAny = true;
        colours.set(colourAt(current, places, place), 3 * at);
      }
    }
  }
  return isAny ? colours : null;
}

function colourAt({ colour, texture }: Surface, places: GrowingFloats, place: number): ArrayLike<number> {
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
