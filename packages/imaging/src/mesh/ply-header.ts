import { MeshError } from "./mesh-error.ts";

/** `name`: as written in our headers. */
export type PlyType = {
  name: string;
  size: number;
  isFloat: boolean;
  read: (view: DataView, at: number, little: boolean) => number;
};
/** A list has the type of its length in `count`. */
export type PlyProperty = { name: string; type: PlyType; count: PlyType | null };
export type PlyElement = { name: string; count: number; properties: PlyProperty[] };
export type PlyHeader = {
  format: "ascii" | "binary_little_endian" | "binary_big_endian";
  elements: PlyElement[];
  /** The offset of the first value, in bytes. */
  end: number;
};

/** Reads the header of a PLY file; throws MeshError "notMesh" or "truncated" where it is none or does not end. */
export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 65_536));
  if (!/^ply\r?[\n\r]/.test(text)) throw new MeshError("notMesh");
  const lines = /[\n\r]end_header[ \t]*(\r\n|\n|\r)/.exec(text);
  if (!lines) throw new MeshError(bytes.length < 65_536 ? "truncated" : "notMesh");
  const header: PlyHeader = { format: "ascii", elements: [], end: lines.index + lines[0].length };
  for (const line of text.slice(0, lines.index).split(/[\r\n]+/)) readLine(line.trim().split(/\s+/), header);
  return header;
}

function readLine(words: string[], header: PlyHeader): void {
  if (words[0] === "format") header.format = parseFormat(words[1]);
  if (words[0] === "element")
    header.elements.push({ name: words[1] ?? "", count: parseCount(words[2]), properties: [] });
  if (words[0] !== "property") return;
  const element = header.elements.at(-1);
  if (!element) throw new MeshError("notMesh");
  const list = words[1] === "list";
  element.properties.push({
    name: words[list ? 4 : 2] ?? "",
    type: parseType(words[list ? 3 : 1]),
    count: list ? parseType(words[2]) : null,
  });
}

function parseFormat(word: string | undefined): PlyHeader["format"] {
  if (word === "ascii" || word === "binary_little_endian" || word === "binary_big_endian") return word;
  throw new MeshError("notMesh");
}

function parseCount(word: string | undefined): number {
  if (!/^\d{1,15}$/.test(word ?? "")) throw new MeshError("badNumbers");
  return Number(word);
}

function parseType(word: string | undefined): PlyType {
  return types.get(word ?? "") ?? failNotMesh();
}

function failNotMesh(): never {
  throw new MeshError("notMesh");
}

const int8: PlyType = { name: "char", size: 1, isFloat: false, read: (view, at) => view.getInt8(at) };
const uint8: PlyType = { name: "uchar", size: 1, isFloat: false, read: (view, at) => view.getUint8(at) };
const int16: PlyType = {
  name: "short",
  size: 2,
  isFloat: false,
  read: (view, at, little) => view.getInt16(at, little),
};
const uint16: PlyType = {
  name: "ushort",
  size: 2,
  isFloat: false,
  read: (view, at, little) => view.getUint16(at, little),
};
const int32: PlyType = { name: "int", size: 4, isFloat: false, read: (view, at, little) => view.getInt32(at, little) };
const uint32: PlyType = {
  name: "uint",
  size: 4,
  isFloat: false,
  read: (view, at, little) => view.getUint32(at, little),
};
const float32: PlyType = {
  name: "float",
  size: 4,
  isFloat: true,
  read: (view, at, little) => view.getFloat32(at, little),
};
const float64: PlyType = {
  name: "double",
  size: 8,
  isFloat: true,
  read: (view, at, little) => view.getFloat64(at, little),
};

const types: ReadonlyMap<string, PlyType> = new Map([
  ["char", int8],
  ["int8", int8],
  ["uchar", uint8],
  ["uint8", uint8],
  ["short", int16],
  ["int16", int16],
  ["ushort", uint16],
  ["uint16", uint16],
  ["int", int32],
  ["int32", int32],
  ["uint", uint32],
  ["uint32", uint32],
  ["float", float32],
  ["float32", float32],
  ["double", float64],
  ["float64", float64],
]);
