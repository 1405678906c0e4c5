import { joinBytes } from "../dicom/bytes.ts";
import { readMaterials } from "../mesh/material.ts";
import { readPlyHeader } from "../mesh/ply-header.ts";

/**
 * The scan without what programs write into it beside the surface: comments, names of solids, groups and materials, the
 * free bytes of the header. The surface stays as it is.
 * @throws MeshError where a PLY has no header.
 */
export function namelessMesh(bytes: Uint8Array, kind: "stl" | "ply" | "obj"): Uint8Array<ArrayBuffer> {
  if (kind === "ply") return namelessPly(bytes);
  if (kind === "obj") return keptLines(bytes, objLine);
  return isBinary(bytes) ? namelessStl(bytes) : keptLines(bytes, stlLine);
}

/** Of a material library its colours, whose materials bear numbers; null where the bytes are none. */
export function namelessMaterial(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (bytes.length > materialBytes || !/^[^\S\n\r\u2028\u2029]*newmtl\s/m.test(latin.decode(bytes))) return null;
  const said = [...readMaterials(bytes).values()].map(
    ({ colour }, place) => `newmtl ${place + 1}\nKd ${colour.map((part) => (part / 255).toFixed(4)).join(" ")}\n`,
  );
  return latinBytes(said.join(""));
}
const materialBytes = 1024 * 1024;

const header = 80;
const triangle = 50;
const isBinary = (bytes: Uint8Array): boolean =>
  bytes.length >= header + 4 && header + 4 + triangle * trianglesOf(bytes) <= bytes.length && trianglesOf(bytes) > 0;
const trianglesOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(header, true);

function namelessStl(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const clean = new Uint8Array(bytes.subarray(0, header + 4 + triangle * trianglesOf(bytes)));
  return clean.fill(0, 0, header);
}

function namelessPly(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { end } = readPlyHeader(bytes);
  const lines = latin.decode(bytes.subarray(0, end)).split(/\r\n|\n|\r/);
  const kept = lines.filter((line) => !/^\s*(comment|obj_info)\b/.test(line));
  return joinBytes([latinBytes(kept.join("\n")), bytes.subarray(end)]);
}

/** What a line keeps; null: nothing of it. */
type LineRule = (line: string) => string | null;
const objLine: LineRule = (line) => (/^\s*(v|vt|vn|vp|f|l|p)\s/.test(line) ? line.split("#", 1)[0]! : null);
const stlLine: LineRule = (line) => {
  const word = /^\s*(\w+)/.exec(line)?.[1]?.toLowerCase() ?? "";
  if (word === "solid" || word === "endsolid") return word;
  return ["facet", "outer", "vertex", "endloop", "endfacet"].includes(word) ? line : null;
};

/** Line by line in pieces, so that a large text is never a string as a whole. */
function keptLines(bytes: Uint8Array, rule: LineRule): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let from = 0;
  while (from < bytes.length) {
    const end = endOfLines(bytes, from);
    const kept = latin
      .decode(bytes.subarray(from, end))
      .split(/\r\n|\n|\r/)
      .flatMap((line) => rule(line) ?? []);
    parts.push(latinBytes(`${kept.join("\n")}\n`));
    from = end;
  }
  return joinBytes(parts);
}

const pieceBytes = 1 << 22;
function endOfLines(bytes: Uint8Array, from: number): number {
  if (from + pieceBytes >= bytes.length) return bytes.length;
  const newline = bytes.indexOf(10, from + pieceBytes);
  return newline < 0 ? bytes.length : newline + 1;
}

const latin = new TextDecoder("latin1");
const latinBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
