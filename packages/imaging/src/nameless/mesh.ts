import { joinBytes } from "../dicom/bytes.ts";
import { readMaterials } from "../mesh/material.ts";
import { MeshError } from "../mesh/mesh-error.ts";
import { readMesh } from "../mesh/read.ts";
import { writeStl } from "../mesh/write.ts";
import { rebuiltPly } from "./ply.ts";
import { letters, textOf } from "./rebuild-error.ts";

/**
 * Rebuilds the scan from its surface: comments, names, attributes and free bytes are not copied. Vertices and faces
 * stay unchanged.
 * @throws MeshError where it does not read as a surface
 */
export function namelessMesh(bytes: Uint8Array, kind: "stl" | "ply" | "obj"): Uint8Array<ArrayBuffer> {
  if (kind === "ply") return rebuiltPly(bytes);
  return kind === "obj" ? rebuiltObj(bytes) : writeStl(readMesh(bytes, "stl"), "");
}

/**
 * Returns the colours of a material library, with numbers as the materials' names; null if the bytes are no library.
 */
export function namelessMaterial(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (bytes.length > materialBytes || !/^[^\S\n\r\u2028\u2029]*newmtl\s/m.test(textOf(bytes))) return null;
  const said = [...readMaterials(bytes).values()].map(
    ({ colour }, place) => `newmtl ${place + 1}\nKd ${colour.map((part) => (part / 255).toFixed(4)).join(" ")}\n`,
  );
  return letters(said.join(""));
}
const materialBytes = 1024 * 1024;

/** Line by line in pieces, so that a large text is never a string as a whole. */
function rebuiltObj(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = endOfLines(bytes, from);
    const lines = textOf(bytes.subarray(from, end)).split(/[\r\n]+/);
    parts.push(letters(lines.map(objLine).join("")));
    from = end;
  }
  return joinBytes(parts);
}

const places = /^\s*(v|vt|vn|vp)((?:[ \t]+[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?=[ \t]|$))+)/;
const most: Readonly<Record<string, number>> = { v: 7, vt: 3, vn: 3, vp: 3 };
const corner = /^-?\d+(?:\/-?\d*){0,2}$/;

/** Rewrites the information of a line about the surface; "" if there is none. */
function objLine(line: string): string {
  const [, word, values] = places.exec(line) ?? [];
  if (word && values)
    return `${[
      word,
      ...values
        .trim()
        .split(/[ \t]+/)
        .slice(0, most[word]),
    ].join(" ")}\n`;
  if (!/^\s*[flp][ \t]/.test(line)) return "";
  const [kind, ...corners] = line
    .split("#", 1)[0]!
    .trim()
    .split(/[ \t]+/);
  if (!corners.every((one) => corner.test(one))) throw new MeshError("badNumbers");
  return `${[kind, ...corners].join(" ")}\n`;
}

const pieceBytes = 1 << 22;
function endOfLines(bytes: Uint8Array, from: number): number {
  if (from + pieceBytes >= bytes.length) return bytes.length;
  const newline = bytes.indexOf(10, from + pieceBytes);
  return newline < 0 ? bytes.length : newline + 1;
}
