import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  canaryEncodings,
  toWord,
  containsCanary,
  concatBytes,
  utf8,
  nodeZlib,
  type CanaryWriter,
} from "@arcada/testing/hostile/canary-name";
import { deidentifyImage } from "./deidentify-image.ts";
import { present } from "@arcada/testing/require-present";

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
  (type: string, data: (name: Buffer) => Uint8Array): CanaryWriter =>
  async (name) => {
    const png = await image().png().toBuffer();
    return Buffer.concat([png.subarray(0, 33), chunk(type, data(name)), png.subarray(33)]);
  };
/** A profile as libvips writes it, with the name in its description. */
const profile = async (name: Buffer): Promise<Buffer> => {
  const { icc } = await sharp(await image().withIccProfile("p3").jpeg().toBuffer()).metadata();
  const bytes = Buffer.from(present(icc));
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
  (marker: number, data: (name: Buffer) => Uint8Array): CanaryWriter =>
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
const palette: CanaryWriter = async (name) => {
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

const images: [string, "jpeg" | "png" | "bmp", CanaryWriter][] = [
  ["PNG chunk of its own", "png", pngChunk("abCd", (name) => name)],
  ["PNG tEXt", "png", pngChunk("tEXt", (name) => concatBytes("Author\0", name))],
  ["PNG eXIf", "png", pngChunk("eXIf", (name) => concatBytes("MM\0*", name))],
  ["PNG cHRM", "png", pngChunk("cHRM", (name) => Buffer.concat([name, Buffer.alloc(32)]).subarray(0, 32))],
  ["PNG sBIT", "png", pngChunk("sBIT", (name) => name)],
  ["PNG pHYs", "png", pngChunk("pHYs", (name) => name)],
  ["PNG bKGD", "png", pngChunk("bKGD", (name) => name)],
  ["PNG palette, behind the pixels and behind its end", "png", palette],
  ["JPEG comment", "jpeg", jpegSegment(0xfe, (name) => name)],
  ["JPEG APP13", "jpeg", jpegSegment(0xed, (name) => concatBytes("Photoshop 3.0\0", name))],
  ["JPEG Exif", "jpeg", jpegSegment(0xe1, (name) => concatBytes("Exif\0\0MM\0*\0\0\0\u0008\0\0\0\0\0\0", name))],
  ["JPEG Adobe", "jpeg", jpegSegment(0xee, (name) => concatBytes("Adobe", Buffer.from([0, 100, 0, 0, 0, 0, 1]), name))],
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

describe("a de-identified image", () => {
  for (const [place, kind, plant] of images)
    it.each(Object.entries(canaryEncodings))(`has its pixels and no name: ${place}, %s`, async (_, name) => {
      const file = await plant(name);
      const clean = deidentifyImage(file, kind, nodeZlib);
      expect(containsCanary(clean)).toBe(false);
      if (kind === "bmp")
        expect(
          Buffer.from(clean)
            .subarray(54)
            .equals(Buffer.from(file).subarray(54 + name.length + 3, 54 + name.length + 3 + 3600)),
        ).toBe(true);
      else expect(await decoded(clean)).toBe(await decoded(file));
    });

  it.each(Object.entries(canaryEncodings))(
    "has the colours of its profile and none of its texts, in a PNG and a JPEG: %s",
    async (_, name) => {
      const bytes = await profile(name);
      const inPng = await pngChunk("iCCP", () =>
        concatBytes(Buffer.from(toWord(name), "latin1"), "\0\0", deflateSync(bytes)),
      )(name);
      const inJpeg = await jpegSegment(0xe2, () => iccIn(bytes))(name);
      for (const [kind, file] of [
        ["png", inPng],
        ["jpeg", inJpeg],
      ] as const) {
        const clean = deidentifyImage(file, kind, nodeZlib);
        expect(containsCanary(clean)).toBe(false);
        const inSrgb = (of: Uint8Array) => sharp(of).toColourspace("srgb").raw().toBuffer();
        expect((await inSrgb(clean)).equals(await inSrgb(file))).toBe(true);
        const { icc } = await sharp(clean).metadata();
        expect(icc?.length).toBeGreaterThan(300);
      }
    },
  );
});
