import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMesh, type MeshFormat } from "../mesh/read-mesh.ts";
import { writeStl } from "../mesh/write-mesh.ts";
import {
  canaryName,
  canaryEncodings,
  toWord,
  containsCanary,
  concatBytes,
  utf8,
  type CanaryWriter,
} from "@arcada/testing/hostile/canary-name";
import { deidentifyMesh } from "./deidentify-mesh.ts";

const surface = {
  positions: Float32Array.from([0, 0, 0, 9, 0, 0, 0, 9, 0]),
  indices: Uint32Array.from([0, 1, 2]),
  colours: null,
};
const stl = (change: (bytes: Buffer) => Buffer): Buffer => change(Buffer.from(writeStl(surface)));
const textPly =
  (header: (name: string) => string[], body: string, tail = ""): CanaryWriter =>
  (name) =>
    Buffer.from(
      [
        "ply",
        "format ascii 1.0",
        ...header(toWord(name)),
        "end_header",
        body + tail.replace("NAME", toWord(name)),
      ].join("\n"),
      "latin1",
    );
const vertex = ["element vertex 3", "property float x", "property float y", "property float z"];
const face = ["element face 1", "property list uchar int vertex_indices"];
const body = "0 0 0\n9 0 0\n0 9 0\n3 0 1 2\n";
const binaryPly: CanaryWriter = (name) => {
  const head = `ply\nformat binary_little_endian 1.0\n${vertex.join("\n")}\nelement blob ${name.length}\nproperty uchar ${toWord(name)}\n${face.join("\n")}\nproperty list uchar uchar note\nend_header\n`;
  const places = Buffer.from(surface.positions.buffer);
  const faces = Buffer.from([3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, name.length]);
  return Buffer.concat([Buffer.from(head, "latin1"), places, name, faces, name, name]);
};

const scans: [string, MeshFormat, CanaryWriter][] = [
  ["STL header", "stl", (name) => stl((bytes) => (name.copy(bytes, 0), bytes))],
  ["STL behind the last triangle", "stl", (name) => stl((bytes) => concatBytes(bytes, name))],
  ["STL normal", "stl", (name) => stl((bytes) => (name.copy(bytes, 84, 0, 12), bytes))],
  [
    "ASCII STL solid",
    "stl",
    (name) =>
      concatBytes(
        `solid ${toWord(name)}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 9 0 0\nvertex 0 9 0\nendloop\nendfacet\nendsolid ${toWord(name)}\n`,
      ),
  ],
  [
    "ASCII STL outer loop",
    "stl",
    (name) =>
      concatBytes(
        "solid x\nfacet normal 0 0 1\nouter loop ",
        Buffer.from(toWord(name), "latin1"),
        "\nvertex 0 0 0\nvertex 9 0 0\nvertex 0 9 0\nendloop\nendfacet\nendsolid x\n",
      ),
  ],
  ["PLY comment", "ply", textPly((name) => [`comment ${name}`, ...vertex, ...face], body)],
  ["PLY obj_info", "ply", textPly((name) => [`obj_info ${name}`, ...vertex, ...face], body)],
  [
    "PLY name of a property",
    "ply",
    textPly((name) => [...vertex, `property float ${name}`, ...face], "0 0 0 1\n9 0 0 1\n0 9 0 1\n3 0 1 2\n"),
  ],
  [
    "PLY name of an element",
    "ply",
    textPly((name) => [...vertex, ...face, `element ${name} 1`, "property int a"], `${body}7\n`),
  ],
  ["PLY unknown header line", "ply", textPly((name) => [`${name} 1`, ...vertex, ...face], body)],
  [
    "PLY word behind the type",
    "ply",
    textPly((name) => [...vertex.slice(0, 3), `property float z ${name}`, ...face], body),
  ],
  ["PLY behind the last face", "ply", textPly(() => [...vertex, ...face], body, "NAME")],
  ["binary PLY", "ply", binaryPly],
  [
    "OBJ comment",
    "obj",
    (name) => concatBytes("# ", Buffer.from(toWord(name), "latin1"), "\nv 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
  [
    "OBJ group",
    "obj",
    (name) => concatBytes("v 0 0 0\nv 9 0 0\nv 0 9 0\ng ", Buffer.from(toWord(name), "latin1"), "\nf 1 2 3\n"),
  ],
  [
    "OBJ material",
    "obj",
    (name) =>
      concatBytes(
        "mtllib ",
        Buffer.from(toWord(name), "latin1"),
        "\nv 0 0 0\nv 9 0 0\nv 0 9 0\nusemtl ",
        Buffer.from(toWord(name), "latin1"),
        "\nf 1 2 3\n",
      ),
  ],
  [
    "OBJ behind a vertex",
    "obj",
    (name) => concatBytes("v 0 0 0 ", Buffer.from(toWord(name), "latin1"), "\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
  [
    "OBJ behind a texture place",
    "obj",
    (name) => concatBytes("v 0 0 0\nvt 0 0 ", Buffer.from(toWord(name), "latin1"), "\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
];

describe("a scan without names", () => {
  for (const [place, kind, plant] of scans)
    it.each(Object.entries(canaryEncodings))(`has its surface and no name: ${place}, %s`, async (_, name) => {
      const file = await plant(name);
      const clean = deidentifyMesh(file, kind);
      expect(containsCanary(clean)).toBe(false);
      expect(readMesh(clean, kind)).toEqual(readMesh(file, kind));
    });

  it("keeps vertex colours and directions of a PLY value for value, in its format", () => {
    const text =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0.1 0.2 0.3 1 2 3\n9.000001 0 0 4 5 6\n0 9 0 7 8 9\n3 0 1 2\n";
    expect(Buffer.from(deidentifyMesh(utf8(text), "ply")).toString()).toBe(text);
  });

  it("is refused where its surface cannot be read", () => {
    expect(() => deidentifyMesh(utf8(`v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 ${canaryName}\n`), "obj")).toThrow("badNumbers");
    expect(() =>
      deidentifyMesh(
        utf8(`ply\nformat ascii 1.0\n${[...vertex, ...face].join("\n")}\nend_header\n0 0 ${canaryName}`),
        "ply",
      ),
    ).toThrow("badNumbers");
  });

  it("has no name wherever one was put over the bytes of a file, or is refused", () => {
    const files = [
      stl((bytes) => bytes),
      binaryPly(utf8("x")) as Buffer,
      textPly(() => [...vertex, ...face], body)(utf8("x")) as Buffer,
    ];
    const kinds: MeshFormat[] = ["stl", "ply", "ply"];
    const cases = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.nat(1000),
      name: fc.constantFrom(...Object.values(canaryEncodings)),
    });
    fc.assert(
      fc.property(cases, ({ file, at, name }) => {
        const whole = files[file];
        const place = at % (whole.length + 1);
        const bytes = Buffer.concat([whole.subarray(0, place), name, whole.subarray(place)]);
        const clean = rebuilt(bytes, kinds[file]);
        // If the name was inserted into the positions of vertices, it has become other positions: a number is no name.
        const isSame = clean !== null && isDeepStrictEqual(readMesh(clean, kinds[file]), readMesh(whole, kinds[file]));
        expect(isSame && containsCanary(clean)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

function rebuilt(bytes: Uint8Array, kind: MeshFormat): Uint8Array | null {
  try {
    const clean = deidentifyMesh(bytes, kind);
    readMesh(clean, kind);
    return clean;
  } catch (error) {
    expect((error as Error).name).toBe("MeshError");
    return null;
  }
}
