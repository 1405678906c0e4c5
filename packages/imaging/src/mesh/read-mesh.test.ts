import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeBounds, countTriangles, countVertices, computeEnclosedVolume, weld, type Mesh } from "./mesh.ts";
import { MeshError } from "./mesh-error.ts";
import { readMesh, type MeshFormat } from "./read-mesh.ts";
import { writePly, writeStl } from "./write-mesh.ts";
import { present } from "@arcada/testing/require-present";

/** A box of 2 × 3 × 4 mm, faces outwards, each corner in its own colour. */
const box: Mesh = {
  positions: new Float32Array([0, 0, 0, 2, 0, 0, 2, 3, 0, 0, 3, 0, 0, 0, 4, 2, 0, 4, 2, 3, 4, 0, 3, 4]),
  indices: new Uint32Array(
    [
      [0, 3, 2, 1],
      [4, 5, 6, 7],
      [0, 1, 5, 4],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
    ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  ),
  colours: Uint8Array.from({ length: 24 }, (_, i) => 10 * i),
};
const text = (content: string) => new TextEncoder().encode(content);
const reasonOf = (content: string | Uint8Array, kind: MeshFormat) => {
  try {
    readMesh(typeof content === "string" ? text(content) : content, kind);
  } catch (error) {
    if (error instanceof MeshError) return error.reason;
    throw error;
  }
  return null;
};
const asciiStl =
  "solid box\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1e0 0 0\n vertex 0 1.5 -2.5E-1\n endloop\n endfacet\nendsolid box\n";
const asciiPly = (vertices: number, faces: string) =>
  `ply\nformat ascii 1.0\ncomment x\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n${faces}`;

describe("a surface", () => {
  it("knows its box and its volume", () => {
    expect(computeBounds(box)).toEqual({ min: [0, 0, 0], max: [2, 3, 4] });
    expect(computeEnclosedVolume(box)).toBeCloseTo(24, 6);
  });

  it("comes back from STL the same once its corners are joined", () => {
    const read = readMesh(writeStl(box), "stl");
    expect(countVertices(read)).toBe(36);
    const joined = weld(read);
    expect(countVertices(joined)).toBe(8);
    expect(countTriangles(joined)).toBe(12);
    expect(computeEnclosedVolume(joined)).toBeCloseTo(24, 6);
  });

  it("comes back from PLY with its colours", () => {
    expect(readMesh(writePly(box), "ply")).toEqual(box);
  });

  it("joins vertices within a tolerance and drops what becomes a line", () => {
    const thin: Mesh = {
      positions: new Float32Array([0, 0, 0, 1, 0, 0, 1, 0.004, 0, -0, 0, 0, 1, 0, 0, 0, 1, 0]),
      indices: null,
      colours: null,
    };
    const joined = weld(thin, 0.01);
    expect([countVertices(joined), countTriangles(joined)]).toEqual([3, 1]);
  });
});

describe("reading surfaces", () => {
  it("reads ASCII STL", () => {
    expect([...readMesh(text(asciiStl), "stl").positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1.5, -0.25]);
  });

  it("reads OBJ with negative numbers, polygons and colours", () => {
    const mesh = readMesh(
      text("# x\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\nvn 0 0 1\nf -4//1 -3//1 3/2/1 4\n"),
      "obj",
    );
    expect([...present(mesh.indices, "indices")]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...present(mesh.colours, "colours").subarray(0, 6)]).toEqual([255, 0, 0, 0, 255, 0]);
  });

  it("reads ASCII PLY with polygons", () => {
    expect([...present(readMesh(text(asciiPly(4, "4 0 1 2 3\n")), "ply").indices, "indices")]).toEqual([
      0, 1, 2, 0, 2, 3,
    ]);
  });

  it("reads big-endian PLY with doubles, lists and elements it does not know", () => {
    const head = text(
      "ply\r\nformat binary_big_endian 1.0\r\nelement camera 1\r\nproperty short a\r\nproperty list uchar float b\r\nelement vertex 3\r\nproperty double x\r\nproperty double y\r\nproperty double z\r\nproperty float red\r\nproperty float green\r\nproperty float blue\r\nelement face 1\r\nproperty list uchar uint vertex_indices\r\nend_header\r\n",
    );
    const body = new DataView(new ArrayBuffer(7 + 3 * 36 + 13));
    body.setUint8(2, 1);
    [0, 0, 0, 5.5, 0, 0, 0, 7.25, 0].forEach((value, i) =>
      body.setFloat64(7 + 36 * Math.floor(i / 3) + 8 * (i % 3), value),
    );
    body.setFloat32(7 + 24, 1);
    body.setUint8(7 + 108, 3);
    [0, 1, 2].forEach((value, i) => body.setUint32(7 + 109 + 4 * i, value));
    const mesh = readMesh(new Uint8Array([...head, ...new Uint8Array(body.buffer)]), "ply");
    expect(computeBounds(mesh).max).toEqual([5.5, 7.25, 0]);
    expect([...present(mesh.colours, "colours").subarray(0, 4)]).toEqual([255, 0, 0, 0]);
  });
});

describe("a surface file that is no good", () => {
  const infinite = writeStl(box);
  new DataView(infinite.buffer).setFloat32(84 + 12, Infinity, true);
  const lying = writeStl(box);
  new DataView(lying.buffer).setUint32(80, 0xffffffff, true);
  const noTriangles = writeStl({ positions: new Float32Array(0), indices: null, colours: null });

  it.each([
    ["has no bytes", "", "stl", "empty"],
    ["is a text", "a letter to the lab", "stl", "notMesh"],
    ["has an infinite coordinate", infinite, "stl", "badNumbers"],
    ["claims four billion triangles", lying, "stl", "truncated"],
    ["is cut in its last triangle", writeStl(box).subarray(0, 600), "stl", "truncated"],
    ["is cut in its header", writeStl(box).subarray(0, 60), "stl", "truncated"],
    ["has a header alone", noTriangles, "stl", "noTriangles"],
    ["is ASCII and cut", asciiStl.slice(0, 90), "stl", "truncated"],
    ["is ASCII with a word for a number", asciiStl.replace("1.5", "nan"), "stl", "badNumbers"],
    ["is ASCII without facets", "solid a\nendsolid a\n", "stl", "noTriangles"],
    ["is no PLY", "plywood", "ply", "notMesh"],
    ["is a cut PLY", writePly(box).subarray(0, 400), "ply", "truncated"],
    ["is a PLY that claims more vertices than bytes", asciiPly(999_999_999_999, ""), "ply", "truncated"],
    ["is a PLY that points at vertices it has not", asciiPly(4, "3 0 1 9\n"), "ply", "badNumbers"],
    ["is a PLY of points alone", asciiPly(4, "").replace("element face 1", "element face 0"), "ply", "noTriangles"],
    ["is an OBJ of points alone", "v 0 0 0\nv 1 0 0\n", "obj", "noTriangles"],
    ["is an OBJ that points before its first vertex", "v 0 0 0\nf -1 -2 -3\n", "obj", "badNumbers"],
    ["is an OBJ cut in a vertex", "v 0 0 0\nv 1 0", "obj", "truncated"],
    ["is no OBJ", "Dear colleague,\nplease find…", "obj", "notMesh"],
  ] as const)("is refused by name when it %s", (_what, content, kind, reason) => {
    expect(reasonOf(content, kind)).toBe(reason);
  });

  it("is refused with a reason wherever a PLY is cut", () => {
    const whole = writePly(box);
    for (let length = 1; length < whole.length; length += 3)
      expect(reasonOf(whole.subarray(0, length), "ply")).not.toBeNull();
  });
});

const scans = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee");

describe.skipIf(!existsSync(scans))("a real scan (ARCADA_TEST_DATA)", () => {
  const load = (path: string) => readMesh(readFileSync(join(scans, path)), path.split(".").at(-1) as MeshFormat);

  it("is the same surface from OBJ, PLY and STL", () => {
    const meshes = ["ref/Ref_Upper_Mesh_Tag=0.obj", "derived/case0-upper.ply", "derived/case0-upper.stl"].map(load);
    for (const mesh of meshes) {
      expect(countTriangles(mesh)).toBe(85_232);
      expect(computeEnclosedVolume(mesh)).toBeCloseTo(computeEnclosedVolume(meshes[0]), 0);
      const { min, max } = computeBounds(mesh);
      expect(max[0] - min[0]).toBeGreaterThan(62);
      expect(max[0] - min[0]).toBeLessThan(68);
      expect(max[1] - min[1]).toBeLessThan(12);
    }
    expect(countVertices(meshes[0])).toBe(42_644);
    expect(countVertices(weld(meshes[2]))).toBe(42_644);
  });
});
