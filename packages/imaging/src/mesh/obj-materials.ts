import { MeshError } from "./mesh-error.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

/** The appearance of an OBJ's surface, from its material library (MTL). */
export interface Material {
  /** Red green blue, sRGB bytes. */
  colour: [number, number, number];
  /** The file name of its texture image, without folders. */
  textureFile: string | null;
}

/**
 * The materials of an MTL by their names: only their diffuse colour and texture image. Throws MeshError where it has
 * none.
 */
export function readMaterials(bytes: Uint8Array): Map<string, Material> {
  const tokens = new TextTokenizer(bytes);
  const materials = new Map<string, Material>();
  let current: Material | undefined;
  for (; !tokens.isDone; tokens.skipLine()) {
    const word = tokens.readWordInLine();
    if (word === "newmtl") {
      current = { colour: [...defaultColour], textureFile: null };
      materials.set(readRestOfLine(tokens), current);
    } else if (word === "Kd" && current) current.colour = readColour(tokens) ?? current.colour;
    else if (word === "map_Kd" && current) current.textureFile = getBaseFileName(stripOptions(readRestOfLine(tokens)));
  }
  if (materials.size === 0) throw new MeshError("notMesh");
  return materials;
}

const defaultColour = [204, 204, 204] as const;

function readColour(tokens: TextTokenizer): Material["colour"] | null {
  const values = [tokens.readNumberInLine(), tokens.readNumberInLine(), tokens.readNumberInLine()];
  // "Kd spectral …" and "Kd xyz …" are colours of other kinds.
  if (!(values[0] !== null && Number.isFinite(values[0]))) return null;
  const [red, green = red, blue = red] = values.map((value) => (value !== null && value >= 0 ? value : undefined));
  const byte = (part = 0) => Math.round(255 * Math.min(1, part));
  return [byte(red), byte(green), byte(blue)];
}

/** A name may have blanks in it. */
export function readRestOfLine(tokens: TextTokenizer): string {
  const words: string[] = [];
  for (let word = tokens.readWordInLine(); word !== ""; word = tokens.readWordInLine()) words.push(word);
  // The bytes were read as single characters; today's names are in UTF-8.
  return new TextDecoder().decode(Uint8Array.from(words.join(" "), (letter) => letter.charCodeAt(0)));
}

/** The name follows options such as "-s 1 1 1". */
const stripOptions = (words: string): string => words.replace(/^(-\w+(\s+(on|off|[-+.\d]+))*\s+)+/, "");

/** Returns the file name of a path from any system, in lower case: programs write another case than the file has. */
export const getBaseFileName = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").trim().toLowerCase();

/** The names of the material libraries that an OBJ asks for. */
export function findMaterialLibraries(obj: Uint8Array): string[] {
  const tokens = new TextTokenizer(obj);
  const names = new Set<string>();
  for (; !tokens.isDone; tokens.skipLine())
    if (tokens.readWordInLine() === "mtllib") names.add(getBaseFileName(readRestOfLine(tokens)));
  return [...names];
}
