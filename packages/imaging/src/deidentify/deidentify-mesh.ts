import { joinBytes } from "../join-bytes.ts";
import { readMaterials } from "../mesh/obj-materials.ts";
import { MeshError } from "../mesh/mesh-error.ts";
import { readMesh, type MeshFormat } from "../mesh/read-mesh.ts";
import { write3mf } from "../mesh/unpack-3mf.ts";
import { writeStl } from "../mesh/write-mesh.ts";
import { rebuildPly } from "./rebuild-ply.ts";
import { latin1Bytes, decodeLatin1 } from "./rebuild-error.ts";

/**
 * Rebuilds the scan from its surface: comments, names, attributes and free bytes are not copied. Vertices and faces
 * stay unchanged; of a 3MF package the colours are dropped, too.
 * @throws MeshError where it does not read as a surface
 */
export function deidentifyMesh(bytes: Uint8Array, kind: MeshFormat): Uint8Array<ArrayBuffer> {
  if (kind === "3mf") return write3mf(readMesh(bytes, kind));
  if (kind === "ply") return rebuildPly(bytes);
  return kind === "obj" ? rebuildObj(bytes) : writeStl(readMesh(bytes, "stl"), "");
}

/**
 * Returns the colours of a material library, with numbers as the materials' names; null if the bytes are no library.
 */
export function deidentifyMaterial(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (bytes.length > maxMaterialBytes || !/^[^\S\n\r\u2028\u2029]*newmtl\s/m.test(decodeLatin1(bytes))) return null;
  const materials = [...readMaterials(bytes).values()].map(
    ({ colour }, index) => `newmtl ${index + 1}\nKd ${colour.map((part) => (part / 255).toFixed(4)).join(" ")}\n`,
  );
  return latin1Bytes(materials.join(""));
}
const maxMaterialBytes = 1024 * 1024;

/** Rebuilds the file line by line in chunks, so that a large text is never one string. */
function rebuildObj(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = findChunkEnd(bytes, from);
    const lines = decodeLatin1(bytes.subarray(from, end)).split(/[\r\n]+/);
    parts.push(latin1Bytes(lines.map(rebuildObjLine).join("")));
    from = end;
  }
  return joinBytes(parts);
}

const coordinatePattern = /^\s*(v|vt|vn|vp)((?:[ \t]+[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?=[ \t]|$))+)/;
const maxCoordinates: Readonly<Record<string, number>> = { v: 7, vt: 3, vn: 3, vp: 3 };
const cornerPattern = /^-?\d+(?:\/-?\d*){0,2}$/;

/** Rewrites the information of a line about the surface; "" if there is none. */
function rebuildObjLine(line: string): string {
  const [, word, values] = coordinatePattern.exec(line) ?? [];
  if (word && values)
    return `${[
      word,
      ...values
        .trim()
        .split(/[ \t]+/)
        .slice(0, maxCoordinates[word]),
    ].join(" ")}\n`;
  if (!/^\s*[flp][ \t]/.test(line)) return "";
  const [kind, ...corners] = line
    .split("#", 1)[0]!
    .trim()
    .split(/[ \t]+/);
  if (!corners.every((one) => cornerPattern.test(one))) throw new MeshError("badNumbers");
  return `${[kind, ...corners].join(" ")}\n`;
}

const chunkBytes = 1 << 22;
function findChunkEnd(bytes: Uint8Array, from: number): number {
  if (from + chunkBytes >= bytes.length) return bytes.length;
  const newline = bytes.indexOf(10, from + chunkBytes);
  return newline < 0 ? bytes.length : newline + 1;
}
