import { joinBytes } from "../dicom/bytes.ts";
import { rebuiltProfile } from "./icc.ts";
import { usedEntries } from "./png-palette.ts";
import { passesOf, type PngShape } from "./png-shape.ts";
import { demand, letters, textOf, viewOf } from "./rebuild-error.ts";

/** RFC 1950, both ways. `used`: how many bytes the stream took. */
export interface Zlib {
  inflate(bytes: Uint8Array, most: number): { bytes: Uint8Array; used: number };
  deflate(bytes: Uint8Array): Uint8Array;
}

/**
 * A PNG rebuilt from its pixels and the numbers that describe their display (ISO/IEC 15948). Its pixels stay unchanged.
 * @throws RebuildError where it does not read as a PNG to its end
 */
export function rebuiltPng(bytes: Uint8Array, zlib: Zlib): Uint8Array<ArrayBuffer> {
  const chunks = chunksOf(bytes);
  const shape = shapeOf(chunks.get("IHDR")?.[0]);
  const { stream, rows } = pixelsOf(joinBytes(chunks.get("IDAT") ?? []), shape, zlib);
  const palette = chunks.get("PLTE")?.[0];
  demand(shape.colour !== 3 || palette !== undefined, "a palette is missing");
  const entries = palette ? Math.min(palette.length / 3, 256) : 0;
  const used = shape.colour === 3 ? usedEntries(rows, shape) : null;
  const parts: Uint8Array[] = [bytes.subarray(0, 8), chunk("IHDR", headerOf(shape))];
  for (const [name, rebuild] of Object.entries(numbers)) {
    const given = chunks.get(name)?.[0];
    const kept = given && rebuild(given, shape, entries);
    if (kept) parts.push(chunk(name, kept));
  }
  const profile = chunks.get("iCCP")?.[0];
  if (profile) parts.push(chunk("iCCP", profileOf(profile, zlib)));
  // In a true-colour image the palette is only a suggestion, and is left out.
  if (palette && used) parts.push(chunk("PLTE", onlyUsed(palette.slice(0, 3 * entries), 3, used)));
  const clear = chunks.get("tRNS")?.[0];
  if (clear) parts.push(...transparency(clear, shape, { entries, used }));
  return joinBytes([...parts, chunk("IDAT", stream), chunk("IEND", new Uint8Array(0))]);
}

/** Chunks by their names, in the order of the file. */
function chunksOf(bytes: Uint8Array): Map<string, Uint8Array[]> {
  const view = viewOf(bytes);
  const chunks = new Map<string, Uint8Array[]>();
  for (let at = 8; at + 12 <= bytes.length && !chunks.has("IEND");) {
    const end = at + 12 + view.getUint32(at);
    demand(end <= bytes.length, "a PNG that ends early");
    const name = textOf(bytes.subarray(at + 4, at + 8));
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
const samplesOf = ({ colour }: PngShape): number => depths[colour]?.samples ?? 0;

function shapeOf(header: Uint8Array | undefined): PngShape {
  demand(header?.length === 13, "a PNG without a header");
  const view = viewOf(header!);
  const [depth, colour, , , interlace] = header!.subarray(8);
  demand(depths[colour]?.depths.includes(depth) === true && interlace < 2, "a PNG of an unknown kind");
  return { width: view.getUint32(0), height: view.getUint32(4), depth, colour, interlaced: interlace === 1 };
}

function headerOf({ width, height, depth, colour, interlaced }: PngShape): Uint8Array {
  const header = new Uint8Array(13);
  viewOf(header).setUint32(0, width);
  viewOf(header).setUint32(4, height);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return header;
}

const mostBytes = 1 << 29;
/** More behind the pixels is an attack on memory. */
const spareBytes = 1 << 20;
/** The coded pixels without trailing data, behind the stream or within it. */
function pixelsOf(coded: Uint8Array, shape: PngShape, zlib: Zlib): { stream: Uint8Array; rows: Uint8Array } {
  const bits = samplesOf(shape) * shape.depth;
  const needed = passesOf(shape).reduce(
    (sum, { columns, rows }) => sum + rows * (1 + Math.ceil((columns * bits) / 8)),
    0,
  );
  demand(needed <= mostBytes, "a PNG that is too large");
  const { bytes, used } = zlib.inflate(coded, needed + spareBytes);
  demand(bytes.length >= needed, "a PNG that ends early");
  if (bytes.length === needed) return { stream: coded.subarray(0, used), rows: bytes };
  const rows = bytes.subarray(0, needed);
  return { stream: zlib.deflate(rows), rows };
}

type Rebuild = (given: Uint8Array, shape: PngShape, entries: number) => Uint8Array | null;
/** A value in 100,000ths: none that a colour can have is above 10. */
const most = 1_000_000;
const words =
  (count: number, limit: number): Rebuild =>
  (given) => {
    if (given.length !== 4 * count) return null;
    const view = viewOf(given);
    for (let at = 0; at < given.length; at += 4) if (view.getUint32(at) > limit) return null;
    return given;
  };

const numbers: Record<string, Rebuild> = {
  cHRM: words(8, most),
  gAMA: words(1, most),
  cICP: (given) => (given.length === 4 && given[3] < 2 ? given : null),
  sRGB: (given) => (given.length === 1 && given[0] < 4 ? given : null),
  sBIT: (given, shape) =>
    given.length === (shape.colour === 3 ? 3 : samplesOf(shape)) && given.every((bits) => bits > 0 && bits <= 16)
      ? given
      : null,
  // A million pixels to the metre are a thousand to the millimetre.
  pHYs: (given) =>
    given.length === 9 && given[8] < 2 ? words(2, most)(given.subarray(0, 8), {} as PngShape, 0) && given : null,
};

/** The name of a profile and its texts go. */
function profileOf(given: Uint8Array, zlib: Zlib): Uint8Array {
  const end = given.indexOf(0);
  demand(end > 0 && end < 80 && given[end + 1] === 0, "a colour profile that cannot be read");
  const { bytes } = zlib.inflate(given.subarray(end + 2), 16 << 20);
  return joinBytes([letters("ICC\0\0"), zlib.deflate(rebuiltProfile(bytes))]);
}

function onlyUsed(values: Uint8Array, size: number, used: ReadonlySet<number>): Uint8Array {
  for (let at = 0; at < values.length; at++) if (!used.has(Math.floor(at / size))) values[at] = 0;
  return values;
}

function transparency(
  given: Uint8Array,
  shape: PngShape,
  { entries, used }: { entries: number; used: ReadonlySet<number> | null },
): Uint8Array[] {
  // Decoders do not read one that is longer than the palette.
  if (used && given.length > entries) return [];
  if (used) return [chunk("tRNS", onlyUsed(given.slice(0, entries), 1, used))];
  const length = shape.colour === 0 ? 2 : shape.colour === 2 ? 6 : 0;
  return length > 0 && given.length >= length ? [chunk("tRNS", given.subarray(0, length))] : [];
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  viewOf(bytes).setUint32(0, data.length);
  bytes.set(letters(name), 4);
  bytes.set(data, 8);
  viewOf(bytes).setUint32(8 + data.length, checksum(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const table = Uint32Array.from({ length: 256 }, (_, value) => {
  let sum = value;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
