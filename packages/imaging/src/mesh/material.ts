import { MeshError } from "./mesh-error.ts";
import { Tokens } from "./tokens.ts";

/** The appearance of an OBJ's surface, from its material library (MTL). */
export interface Material {
  /** Red green blue, sRGB bytes. */
  colour: [number, number, number];
  /** The file name of its texture image, without folders. */
  picture: string | null;
}

/**
 * The materials of an MTL by their names: only their diffuse colour and texture image. Throws MeshError where it has
 * none.
 */
export function readMaterials(bytes: Uint8Array): Map<string, Material> {
  const tokens = new Tokens(bytes);
  const materials = new Map<string, Material>();
  let current: Material | undefined;
  for (; !tokens.done; tokens.nextLine()) {
    const word = tokens.wordInLine();
    if (word === "newmtl") {
      current = { colour: [...unsaid], picture: null };
      materials.set(restOfLine(tokens), current);
    } else if (word === "Kd" && current) current.colour = readColour(tokens) ?? current.colour;
    else if (word === "map_Kd" && current) current.picture = fileName(lastWords(restOfLine(tokens)));
  }
  if (materials.size === 0) throw new MeshError("notMesh");
  return materials;
}

const unsaid = [204, 204, 204] as const;

function readColour(tokens: Tokens): Material["colour"] | null {
  const values = [tokens.numberInLine(), tokens.numberInLine(), tokens.numberInLine()];
  // "Kd spectral …" and "Kd xyz …" are colours of other kinds.
  if (!(values[0] !== null && Number.isFinite(values[0]))) return null;
  const [red, green = red, blue = red] = values.map((value) => (value !== null && value >= 0 ? value : undefined));
  const byte = (part = 0) => Math.round(255 * Math.min(1, part));
  return [byte(red), byte(green), byte(blue)];
}

/** A name may have blanks in it. */
export function restOfLine(tokens: Tokens): string {
  const words: string[] = [];
  for (let word = tokens.wordInLine(); word !== ""; word = tokens.wordInLine()) words.push(word);
  // The bytes were read as single characters; today's names are in UTF-8.
  return new TextDecoder().decode(Uint8Array.from(words.join(" "), (letter) => letter.charCodeAt(0)));
}

/** The name follows options such as "-s 1 1 1". */
const lastWords = (words: string): string => words.replace(/^(-\w+(\s+(on|off|[-+.\d]+))*\s+)+/, "");

/** Returns the file name of a path from any system, in lower case: programs write another case than the file has. */
export const fileName = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").trim().toLowerCase();

/** The names of the material libraries that an OBJ asks for. */
export function librariesOf(obj: Uint8Array): string[] {
  const tokens = new Tokens(obj);
  const names = new Set<string>();
  for (; !tokens.done; tokens.nextLine()) if (tokens.wordInLine() === "mtllib") names.add(fileName(restOfLine(tokens)));
  return [...names];
}
