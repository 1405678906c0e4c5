import { joinBytes } from "../join-bytes.ts";
import { rebuildIccProfile } from "./rebuild-icc-profile.ts";
import { findUsedEntries } from "./png-palette.ts";
import { listPasses, type PngShape } from "./png-shape.ts";
import { assertFormat, latin1Bytes, decodeLatin1, toDataView } from "./rebuild-error.ts";

/** RFC 1950, both ways. `used`: the number of bytes of the stream. */
export interface Zlib {
  inflate(bytes: Uint8Array, limit: number): { bytes: Uint8Array; used: number };
  deflate(bytes: Uint8Array): Uint8Array;
}

/**
 * A PNG rebuilt from its pixels and the numbers that describe their display (ISO/IEC 15948). Its pixels stay unchanged.
 * @throws RebuildError where it does not read as a PNG to its end
 */
export function rebuildPng(bytes: Uint8Array, zlib: Zlib): Uint8Array<ArrayBuffer> {
  const chunks = readChunks(bytes);
  const shape = readShape(chunks.get("IHDR")?.[0]);
  const { stream, rows } = readPixels(joinBytes(chunks.get("IDAT") ?? []), shape, zlib);
  const palette = chunks.get("PLTE")?.[0];
  assertFormat(shape.colour !== 3 || palette !== undefined, "a palette is missing");
  const entries = palette ? Math.min(palette.length / 3, 256) : 0;
  const used = shape.colour === 3 ? findUsedEntries(rows, shape) : null;
  const parts: Uint8Array[] = [bytes.subarray(0, 8), encodeChunk("IHDR", encodeHeader(shape))];
  for (const [name, rebuild] of Object.entries(numericChunks)) {
    const given = chunks.get(name)?.[0];
    const rebuilt = given && rebuild(given, shape, entries);
    if (rebuilt) parts.push(encodeChunk(name, rebuilt));
  }
  const profile = chunks.get("iCCP")?.[0];
  if (profile) parts.push(encodeChunk("iCCP", rebuildProfileChunk(profile, zlib)));
  // In a true-colour image the palette is only a suggestion, and is left out.
  if (palette && used) parts.push(encodeChunk("PLTE", clearUnused(palette.slice(0, 3 * entries), 3, used)));
  const transparent = chunks.get("tRNS")?.[0];
  if (transparent) parts.push(...rebuildTransparency(transparent, shape, { entries, used }));
  return joinBytes([...parts, encodeChunk("IDAT", stream), encodeChunk("IEND", new Uint8Array(0))]);
}

/** Chunks by their names, in the order of the file. */
function readChunks(bytes: Uint8Array): Map<string, Uint8Array[]> {
  const view = toDataView(bytes);
  const chunks = new Map<string, Uint8Array[]>();
  for (let at = 8; at + 12 <= bytes.length && !chunks.has("IEND");) {
    const end = at + 12 + view.getUint32(at);
    assertFormat(end <= bytes.length, "a PNG that ends early");
    const name = decodeLatin1(bytes.subarray(at + 4, at + 8));
    const known = chunks.get(name);
    if (known) known.push(bytes.subarray(at + 8, end - 4));
    else chunks.set(name, [bytes.subarray(at + 8, end - 4)]);
    at = end;
  }
  return chunks;
}

const depths: Partial<Record<number, { samples: number; depths: number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const samplesPerPixel = ({ colour }: PngShape): number => depths[colour]?.samples ?? 0;

function readShape(header: Uint8Array | undefined): PngShape {
  assertFormat(header?.length === 13, "a PNG without a header");
  const view = toDataView(header!);
  const [depth, colour, , , interlace] = header!.subarray(8);
  assertFormat(depths[colour]?.depths.includes(depth) === true && interlace < 2, "a PNG of an unknown kind");
  return { width: view.getUint32(0), height: view.getUint32(4), depth, colour, interlaced: interlace === 1 };
}

function encodeHeader({ width, height, depth, colour, interlaced }: PngShape): Uint8Array {
  const header = new Uint8Array(13);
  toDataView(header).setUint32(0, width);
  toDataView(header).setUint32(4, height);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return header;
}

const maxBytes = 1 << 29;
/** More behind the pixels is an attack on memory. */
const maxTrailingBytes = 1 << 20;
/** The coded pixels without trailing data, behind the stream or within it. */
function readPixels(coded: Uint8Array, shape: PngShape, zlib: Zlib): { stream: Uint8Array; rows: Uint8Array } {
  const bits = samplesPerPixel(shape) * shape.depth;
  const needed = listPasses(shape).reduce(
    (sum, { columns, rows }) => sum + rows * (1 + Math.ceil((columns * bits) / 8)),
    0,
  );
  assertFormat(needed <= maxBytes, "a PNG that is too large");
  const { bytes, used } = zlib.inflate(coded, needed + maxTrailingBytes);
  assertFormat(bytes.length >= needed, "a PNG that ends early");
  if (bytes.length === needed) return { stream: coded.subarray(0, used), rows: bytes };
  const rows = bytes.subarray(0, needed);
  return { stream: zlib.deflate(rows), rows };
}

type Rebuild = (given: Uint8Array, shape: PngShape, entries: number) => Uint8Array | null;
/** A value in 100,000ths: none that a colour can have is above 10. */
const maxValue = 1_000_000;
const uint32Fields =
  (count: number, limit: number): Rebuild =>
  (given) => {
    if (given.length !== 4 * count) return null;
    const view = toDataView(given);
    for (let at = 0; at < given.length; at += 4) if (view.getUint32(at) > limit) return null;
    return given;
  };

const numericChunks: Record<string, Rebuild> = {
  cHRM: uint32Fields(8, maxValue),
  gAMA: uint32Fields(1, maxValue),
  cICP: (given) => (given.length === 4 && given[3] < 2 ? given : null),
  sRGB: (given) => (given.length === 1 && given[0] < 4 ? given : null),
  sBIT: (given, shape) =>
    given.length === (shape.colour === 3 ? 3 : samplesPerPixel(shape)) && given.every((bits) => bits > 0 && bits <= 16)
      ? given
      : null,
  // A million pixels to the metre are a thousand to the millimetre.
  pHYs: (given) =>
    given.length === 9 && given[8] < 2
      ? uint32Fields(2, maxValue)(given.subarray(0, 8), {} as PngShape, 0) && given
      : null,
};

/** The name of a profile and its texts go. */
function rebuildProfileChunk(given: Uint8Array, zlib: Zlib): Uint8Array {
  const end = given.indexOf(0);
  assertFormat(end > 0 && end < 80 && given[end + 1] === 0, "a colour profile that cannot be read");
  const { bytes } = zlib.inflate(given.subarray(end + 2), 16 << 20);
  return joinBytes([latin1Bytes("ICC\0\0"), zlib.deflate(rebuildIccProfile(bytes))]);
}

function clearUnused(values: Uint8Array, size: number, used: ReadonlySet<number>): Uint8Array {
  for (let at = 0; at < values.length; at++) if (!used.has(Math.floor(at / size))) values[at] = 0;
  return values;
}

function rebuildTransparency(
  given: Uint8Array,
  shape: PngShape,
  { entries, used }: { entries: number; used: ReadonlySet<number> | null },
): Uint8Array[] {
  // Decoders do not read one that is longer than the palette.
  if (used && given.length > entries) return [];
  if (used) return [encodeChunk("tRNS", clearUnused(given.slice(0, entries), 1, used))];
  const length = shape.colour === 0 ? 2 : shape.colour === 2 ? 6 : 0;
  return length > 0 && given.length >= length ? [encodeChunk("tRNS", given.subarray(0, length))] : [];
}

function encodeChunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  toDataView(bytes).setUint32(0, data.length);
  bytes.set(latin1Bytes(name), 4);
  bytes.set(data, 8);
  toDataView(bytes).setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
  let sum = value;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = crcTable[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
