import { isDeepStrictEqual } from "node:util";
import { deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readMesh, type MeshKind } from "../mesh/read.ts";
import { writeStl } from "../mesh/write.ts";
import { namelessMesh } from "./mesh.ts";
import { namelessPicture } from "./picture.ts";
import type { Zlib } from "./png.ts";

const canary = "金丝雀Kanarienvogel";
const zlib: Zlib = {
  inflate: (bytes) => {
    const { buffer, engine } = inflateSync(bytes, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, used: engine.bytesWritten };
  },
  deflate: (bytes) => deflateSync(bytes),
};
const utf8 = (text: string): Buffer => Buffer.from(text);
const gb18030 = Buffer.from([0xbd, 0xf0, 0xcb, 0xbf, 0xc8, 0xb8]);
const encodings: Record<string, Buffer> = {
  "UTF-8": utf8(canary),
  "UTF-16LE": Buffer.from(canary, "utf16le"),
  "UTF-16BE": Buffer.from(canary, "utf16le").swap16(),
  GB18030: Buffer.concat([gb18030, utf8("Kanarienvogel")]),
  base64: utf8(utf8(canary).toString("base64")),
};
/** Pieces of the name in each encoding: the whole one may have been cut. */
const pieces = [
  ...[utf8("Kanarien"), utf8("金丝雀"), gb18030, Buffer.from("金丝雀", "utf16le"), Buffer.from("vogel", "utf16le")],
  ...[
    Buffer.from("金丝雀", "utf16le").swap16(),
    Buffer.from("vogel", "utf16le").swap16(),
    utf8(utf8(canary).toString("base64")).subarray(4, 16),
  ],
];
/** Also within what is packed: profiles of a PNG, and its pixels. */
function isNamed(bytes: Uint8Array): boolean {
  const whole = Buffer.from(bytes);
  const found = (where: Buffer) => pieces.some((piece) => where.includes(piece));
  if (found(whole)) return true;
  for (let at = whole.indexOf(0x78); at >= 0; at = whole.indexOf(0x78, at + 1)) {
    try {
      if (found(inflateSync(whole.subarray(at), { finishFlush: 2 }))) return true;
    } catch {
      // No stream begins here.
    }
  }
  return false;
}

type Planting = (name: Buffer) => Uint8Array | Promise<Uint8Array>;
const row = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? utf8(part) : part)));
const surface = {
  positions: Float32Array.from([0, 0, 0, 9, 0, 0, 0, 9, 0]),
  indices: Uint32Array.from([0, 1, 2]),
  colours: null,
};
const stl = (change: (bytes: Buffer) => Buffer): Buffer => change(Buffer.from(writeStl(surface)));
const flat = (name: Buffer): string => name.toString("latin1").replace(/[\0-\x20#\x7f-\xa0]/g, "_");
const textPly =
  (header: (name: string) => string[], body: string, tail = ""): Planting =>
  (name) =>
    Buffer.from(
      ["ply", "format ascii 1.0", ...header(flat(name)), "end_header", body + tail.replace("NAME", flat(name))].join(
        "\n",
      ),
      "latin1",
    );
const vertex = ["element vertex 3", "property float x", "property float y", "property float z"];
const face = ["element face 1", "property list uchar int vertex_indices"];
const body = "0 0 0\n9 0 0\n0 9 0\n3 0 1 2\n";
const binaryPly: Planting = (name) => {
  const head = `ply\nformat binary_little_endian 1.0\n${vertex.join("\n")}\nelement blob ${name.length}\nproperty uchar ${flat(name)}\n${face.join("\n")}\nproperty list uchar uchar note\nend_header\n`;
  const places = Buffer.from(surface.positions.buffer);
  const faces = Buffer.from([3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, name.length]);
  return Buffer.concat([Buffer.from(head, "latin1"), places, name, faces, name, name]);
};

const scans: [string, MeshKind, Planting][] = [
  ["STL header", "stl", (name) => stl((bytes) => (name.copy(bytes, 0), bytes))],
  ["STL behind the last triangle", "stl", (name) => stl((bytes) => row(bytes, name))],
  ["STL normal", "stl", (name) => stl((bytes) => (name.copy(bytes, 84, 0, 12), bytes))],
  [
    "ASCII STL solid",
    "stl",
    (name) =>
      row(
        `solid ${flat(name)}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 9 0 0\nvertex 0 9 0\nendloop\nendfacet\nendsolid ${flat(name)}\n`,
      ),
  ],
  [
    "ASCII STL outer loop",
    "stl",
    (name) =>
      row(
        "solid x\nfacet normal 0 0 1\nouter loop ",
        Buffer.from(flat(name), "latin1"),
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
    (name) => row("# ", Buffer.from(flat(name), "latin1"), "\nv 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
  [
    "OBJ group",
    "obj",
    (name) => row("v 0 0 0\nv 9 0 0\nv 0 9 0\ng ", Buffer.from(flat(name), "latin1"), "\nf 1 2 3\n"),
  ],
  [
    "OBJ material",
    "obj",
    (name) =>
      row(
        "mtllib ",
        Buffer.from(flat(name), "latin1"),
        "\nv 0 0 0\nv 9 0 0\nv 0 9 0\nusemtl ",
        Buffer.from(flat(name), "latin1"),
        "\nf 1 2 3\n",
      ),
  ],
  [
    "OBJ behind a vertex",
    "obj",
    (name) => row("v 0 0 0 ", Buffer.from(flat(name), "latin1"), "\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
  [
    "OBJ behind a texture place",
    "obj",
    (name) => row("v 0 0 0\nvt 0 0 ", Buffer.from(flat(name), "latin1"), "\nv 9 0 0\nv 0 9 0\nf 1 2 3\n"),
  ],
];

describe("a scan without names", () => {
  for (const [place, kind, plant] of scans)
    it.each(Object.entries(encodings))(`has its surface and no name: ${place}, %s`, async (_, name) => {
      const file = await plant(name);
      const clean = namelessMesh(file, kind);
      expect(isNamed(clean)).toBe(false);
      expect(readMesh(clean, kind)).toEqual(readMesh(file, kind));
    });

  it("keeps vertex colours and directions of a PLY value for value, in its format", () => {
    const text =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0.1 0.2 0.3 1 2 3\n9.000001 0 0 4 5 6\n0 9 0 7 8 9\n3 0 1 2\n";
    expect(Buffer.from(namelessMesh(utf8(text), "ply")).toString()).toBe(text);
  });

  it("is refused where its surface cannot be read", () => {
    expect(() => namelessMesh(utf8(`v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 ${canary}\n`), "obj")).toThrow("badNumbers");
    expect(() =>
      namelessMesh(utf8(`ply\nformat ascii 1.0\n${[...vertex, ...face].join("\n")}\nend_header\n0 0 ${canary}`), "ply"),
    ).toThrow("badNumbers");
  });

  it("has no name wherever one was put over the bytes of a file, or is refused", () => {
    const files = [
      stl((bytes) => bytes),
      binaryPly(utf8("x")) as Buffer,
      textPly(() => [...vertex, ...face], body)(utf8("x")) as Buffer,
    ];
    const kinds: MeshKind[] = ["stl", "ply", "ply"];
    const cases = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.nat(1000),
      name: fc.constantFrom(...Object.values(encodings)),
    });
    fc.assert(
      fc.property(cases, ({ file, at, name }) => {
        const whole = files[file]!;
        const place = at % (whole.length + 1);
        const bytes = Buffer.concat([whole.subarray(0, place), name, whole.subarray(place)]);
        const clean = rebuilt(bytes, kinds[file]!);
        // Where the name lies over places of vertices, other places have come out of it: a number is no name.
        const isSame =
          clean !== null && isDeepStrictEqual(readMesh(clean, kinds[file]!), readMesh(whole, kinds[file]!));
        expect(isSame && isNamed(clean)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

function rebuilt(bytes: Uint8Array, kind: MeshKind): Uint8Array | null {
  try {
    const clean = namelessMesh(bytes, kind);
    readMesh(clean, kind);
    return clean;
  } catch (error) {
    expect((error as Error).name).toBe("MeshError");
    return null;
  }
}

const pixels = Buffer.from(Uint8Array.from({ length: 40 * 30 * 3 }, (_, at) => (at * 7 + (at >> 5)) % 256));
const image = () => sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } });
const chunk = (name: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, "latin1");
  bytes.set(data, 8);
  let sum = 0xffffffff;
  for (const byte of bytes.subarray(4, 8 + data.length)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  bytes.writeUInt32BE((sum ^ 0xffffffff) >>> 0, 8 + data.length);
  return bytes;
};
const pngChunk =
  (type: string, data: (name: Buffer) => Uint8Array): Planting =>
  async (name) => {
    const png = await image().png().toBuffer();
    return Buffer.concat([png.subarray(0, 33), chunk(type, data(name)), png.subarray(33)]);
  };
/** A profile as libvips writes it, with the name in its description. */
const profile = async (name: Buffer): Promise<Buffer> => {
  const { icc } = await sharp(await image().withIccProfile("p3").jpeg().toBuffer()).metadata();
  const bytes = Buffer.from(icc!);
  const count = bytes.readUInt32BE(128);
  const texts = Array.from({ length: count }, (_, at) => 132 + 12 * at).filter((at) =>
    ["desc", "cprt"].includes(bytes.toString("latin1", at, at + 4)),
  );
  for (const at of texts)
    name.copy(bytes, bytes.readUInt32BE(at + 4) + 8, 0, Math.min(name.length, bytes.readUInt32BE(at + 8) - 8));
  name.copy(bytes, 100, 0, 28);
  return Buffer.concat([bytes, name]);
};
const jpegSegment =
  (marker: number, data: (name: Buffer) => Uint8Array): Planting =>
  async (name) => {
    const jpeg = await image().jpeg({ quality: 90 }).toBuffer();
    const body = data(name);
    return Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]),
      body,
      jpeg.subarray(2),
    ]);
  };
const iccIn = (bytes: Buffer): Buffer => Buffer.concat([utf8("ICC_PROFILE\0\u0001\u0001"), bytes]);
const bmp = (name: Buffer): Buffer => {
  const gap = Buffer.concat([name, Buffer.alloc(3)]);
  const rowBytes = 4 * Math.ceil((40 * 3) / 4);
  const bytes = Buffer.alloc(54 + gap.length + rowBytes * 30);
  bytes.write("BM");
  bytes.writeUInt32LE(54 + gap.length, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(40, 18);
  bytes.writeInt32LE(30, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  gap.copy(bytes, 54);
  pixels.copy(bytes, 54 + gap.length);
  return Buffer.concat([bytes, name]);
};
const palette: Planting = async (name) => {
  const two = Buffer.from(Uint8Array.from({ length: 64 }, (_, at) => at % 2));
  const rows = Buffer.concat(
    Array.from({ length: 8 }, (_, at) => Buffer.concat([Buffer.of(0), two.subarray(8 * at, 8 * at + 8)])),
  );
  const entries = Buffer.concat([Buffer.from([255, 0, 0, 0, 255, 0]), name, Buffer.alloc((3 - (name.length % 3)) % 3)]);
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 3, 0, 0, 0]);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  return Buffer.concat([
    mark,
    chunk("IHDR", header),
    chunk("PLTE", entries),
    chunk("tRNS", Buffer.concat([Buffer.from([255, 128]), name]).subarray(0, entries.length / 3)),
    chunk("IDAT", Buffer.concat([deflateSync(Buffer.concat([rows, name])), name])),
    chunk("IEND", Buffer.alloc(0)),
    name,
  ]);
};

const pictures: [string, "jpeg" | "png" | "bmp", Planting][] = [
  ["PNG chunk of its own", "png", pngChunk("abCd", (name) => name)],
  ["PNG tEXt", "png", pngChunk("tEXt", (name) => row("Author\0", name))],
  ["PNG eXIf", "png", pngChunk("eXIf", (name) => row("MM\0*", name))],
  ["PNG cHRM", "png", pngChunk("cHRM", (name) => Buffer.concat([name, Buffer.alloc(32)]).subarray(0, 32))],
  ["PNG sBIT", "png", pngChunk("sBIT", (name) => name)],
  ["PNG pHYs", "png", pngChunk("pHYs", (name) => name)],
  ["PNG bKGD", "png", pngChunk("bKGD", (name) => name)],
  ["PNG palette, behind the pixels and behind its end", "png", palette],
  ["JPEG comment", "jpeg", jpegSegment(0xfe, (name) => name)],
  ["JPEG APP13", "jpeg", jpegSegment(0xed, (name) => row("Photoshop 3.0\0", name))],
  ["JPEG Exif", "jpeg", jpegSegment(0xe1, (name) => row("Exif\0\0MM\0*\0\0\0\u0008\0\0\0\0\0\0", name))],
  ["JPEG Adobe", "jpeg", jpegSegment(0xee, (name) => row("Adobe", Buffer.from([0, 100, 0, 0, 0, 0, 1]), name))],
  [
    "JPEG table that nothing uses",
    "jpeg",
    jpegSegment(0xdb, (name) => Buffer.concat([Buffer.of(3), name, Buffer.alloc(64)]).subarray(0, 65)),
  ],
  ["JPEG behind its end", "jpeg", async (name) => Buffer.concat([await image().jpeg().toBuffer(), name])],
  ["BMP gap and end", "bmp", bmp],
];

const decoded = async (bytes: Uint8Array): Promise<string> => {
  const { data, info } = await sharp(bytes, { failOn: "none" }).raw().toBuffer({ resolveWithObject: true });
  return `${info.width} ${info.height} ${info.channels} ${data.toString("base64")}`;
};

describe("a picture without names", () => {
  for (const [place, kind, plant] of pictures)
    it.each(Object.entries(encodings))(`has its pixels and no name: ${place}, %s`, async (_, name) => {
      const file = await plant(name);
      const clean = namelessPicture(file, kind, zlib);
      expect(isNamed(clean)).toBe(false);
      if (kind === "bmp")
        expect(
          Buffer.from(clean)
            .subarray(54)
            .equals(Buffer.from(file).subarray(54 + name.length + 3, 54 + name.length + 3 + 3600)),
        ).toBe(true);
      else expect(await decoded(clean)).toBe(await decoded(file));
    });

  it.each(Object.entries(encodings))(
    "has the colours of its profile and none of its texts, in a PNG and a JPEG: %s",
    async (_, name) => {
      const bytes = await profile(name);
      const inPng = await pngChunk("iCCP", () => row(Buffer.from(flat(name), "latin1"), "\0\0", deflateSync(bytes)))(
        name,
      );
      const inJpeg = await jpegSegment(0xe2, () => iccIn(bytes))(name);
      for (const [kind, file] of [
        ["png", inPng],
        ["jpeg", inJpeg],
      ] as const) {
        const clean = namelessPicture(file, kind, zlib);
        expect(isNamed(clean)).toBe(false);
        const inSrgb = (of: Uint8Array) => sharp(of).toColourspace("srgb").raw().toBuffer();
        expect((await inSrgb(clean)).equals(await inSrgb(file))).toBe(true);
        const { icc } = await sharp(clean).metadata();
        expect(icc!.length).toBeGreaterThan(300);
      }
    },
  );
});
