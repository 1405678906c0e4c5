import { describe, expect, it } from "vitest";
import { readMesh } from "../mesh/read-mesh.ts";
import { writeStl } from "../mesh/write-mesh.ts";
import { deidentifyMaterial, deidentifyMesh } from "./deidentify-mesh.ts";
import { present } from "@arcada/testing/require-present";

const name = "Kanarienvogel";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const surface = {
  positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  indices: Uint32Array.from([0, 2, 1, 0, 1, 3]),
  colours: null,
};
const binary = writeStl(surface);
binary.set(bytesOf(`solid ${name}`));
const facet = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";
const scans = {
  stl: [binary, bytesOf(`solid ${name}\n${facet}endsolid ${name}\n`)],
  ply: [
    bytesOf(
      `ply\r\nformat ascii 1.0\r\ncomment ${name}\r\nobj_info ${name}\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\nproperty float z\r\nelement face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n`,
    ),
  ],
  obj: [bytesOf(`# ${name}\nmtllib ${name}.mtl\no ${name}\nv 0 0 0\nv 1 0 0 # ${name}\nv 0 1 0\ng ${name}\nf 1 2 3\n`)],
} as const;

describe("a scan without names", () => {
  it.each(["stl", "ply", "obj"] as const)("has the surface that it had and no other words: %s", (kind) => {
    for (const scan of scans[kind]) {
      expect(new TextDecoder("latin1").decode(scan)).toContain(name);
      const clean = deidentifyMesh(scan, kind);
      expect(new TextDecoder("latin1").decode(clean)).not.toContain(name);
      expect(readMesh(clean, kind)).toEqual(readMesh(scan, kind));
    }
  });

  it("has its material library's colours, and none of its names", () => {
    const clean = present(deidentifyMaterial(bytesOf(`# ${name}\nnewmtl ${name}\nKd 1 0.2 0\nmap_Kd ${name}.png\n`)));
    expect(new TextDecoder().decode(clean)).toBe("newmtl 1\nKd 1.0000 0.2000 0.0000\n");
    expect(deidentifyMaterial(bytesOf(name))).toBeNull();
  });

  it("loses what hangs behind the last triangle", () => {
    const longer = new Uint8Array([...binary, ...bytesOf(name)]);
    expect(deidentifyMesh(longer, "stl")).toHaveLength(binary.length);
  });
});
