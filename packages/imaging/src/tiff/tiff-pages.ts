/**
 * TIFF 6.0 and its 64-bit form: the pages of a file, determined from its directories alone, before any pixel is
 * decoded.
 */
export interface TiffPage {
  /** The page's place among all directories, as decoders count them. */
  index: number;
  columns: number;
  rows: number;
  /** A smaller copy of another page, or a mask of it. */
  isReduced: boolean;
  isLossy: boolean;
  /** Dots an inch, the same in both directions; null where the file states none or two different ones. */
  density: number | null;
}

export type TiffReason = "broken" | "unsupported" | "tooManyPages";
export class TiffError extends Error {
  override name = "TiffError";
  readonly reason: TiffReason;
  constructor(reason: TiffReason) {
    super(`TIFF: ${reason}`);
    this.reason = reason;
  }
}

/** Reads `length` bytes from `offset`, fewer where the file ends. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/**
 * The pages in the file's order. Directories that form a loop, are outside the file or are too many are refused, and so
 * are features that decoders of photographs do not all read in the same way: floating point, many channels, rare
 * codings.
 * @throws TiffError
 */
export function readTiffPages(read: ReadAt, size: number, maxPages: number): TiffPage[] {
  const variant = readVariant(read);
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  let at = variant.first;
  while (at !== 0) {
    if (seen.has(at)) throw new TiffError("broken");
    if (pages.length === maxPages) throw new TiffError("tooManyPages");
    seen.add(at);
    const { tags, next } = readDirectory(read, variant, at, size);
    pages.push(parsePage(tags, pages.length));
    at = next;
  }
  if (pages.length === 0) throw new TiffError("broken");
  return pages;
}

interface TiffVariant {
  little: boolean;
  /** BigTIFF: counts and offsets have eight bytes. */
  big: boolean;
  first: number;
}

function readVariant(read: ReadAt): TiffVariant {
  const head = toDataView(read(0, 16), 8);
  const little = head.getUint16(0) === 0x4949;
  const big = head.getUint16(2, little) === 43;
  if (!big) return { little, big, first: head.getUint32(4, little) };
  if (head.byteLength < 16 || head.getUint16(4, little) !== 8) throw new TiffError("broken");
  return { little, big, first: readUint64(head, 8, little) };
}

type TagValues = Map<number, number[]>;

/** Entries of a directory; a camera writes some dozens. */
const maxEntries = 4096;

function readDirectory(
  read: ReadAt,
  variant: TiffVariant,
  at: number,
  size: number,
): { tags: TagValues; next: number } {
  const { little, big } = variant;
  const [countBytes, entryBytes, offsetBytes] = big ? [8, 20, 8] : [2, 12, 4];
  if (at < 8 || at + countBytes > size) throw new TiffError("broken");
  const head = toDataView(read(at, countBytes), countBytes);
  const count = big ? readUint64(head, 0, little) : head.getUint16(0, little);
  if (count === 0 || count > maxEntries) throw new TiffError("broken");
  const length = count * entryBytes;
  const view = toDataView(read(at + countBytes, length + offsetBytes), length);
  const tags: TagValues = new Map();
  for (let entry = 0; entry < length; entry += entryBytes) {
    const tag = view.getUint16(entry, little);
    if (wantedTags.has(tag)) tags.set(tag, readValues(read, view, entry, variant));
  }
  // Some writers leave the last link out at the end of the file.
  const hasNext = view.byteLength >= length + offsetBytes;
  const next = !hasNext ? 0 : big ? readUint64(view, length, little) : view.getUint32(length, little);
  return { tags, next };
}

const tag = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  samples: 277,
  sampleFormat: 339,
  tileWidth: 322,
  tileHeight: 323,
  xResolution: 282,
  yResolution: 283,
  resolutionUnit: 296,
} as const;
const wantedTags: ReadonlySet<number> = new Set(Object.values(tag));

/** Bytes of a value, by the entry's type: BYTE, SHORT, LONG, RATIONAL, and LONG8 of BigTIFF. */
const valueBytes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 16: 8 };
const rational = 5;
const maxValues = 8;

function readValues(read: ReadAt, view: DataView, entry: number, { little, big }: TiffVariant): number[] {
  const type = view.getUint16(entry + 2, little);
  const bytes = valueBytes[type];
  const count = big ? readUint64(view, entry + 4, little) : view.getUint32(entry + 4, little);
  if (bytes === undefined || count === 0 || count > maxValues) throw new TiffError("unsupported");
  const length = bytes * count;
  const entryValueAt = entry + (big ? 12 : 8);
  const isInline = length <= (big ? 8 : 4);
  const offset = big ? readUint64(view, entryValueAt, little, isInline) : view.getUint32(entryValueAt, little);
  const from = isInline
    ? new DataView(view.buffer, view.byteOffset + entryValueAt, length)
    : toDataView(read(offset, length), length);
  return Array.from({ length: count }, (_, at) => {
    if (bytes === 1) return from.getUint8(at);
    if (type === rational) return from.getUint32(at * 8, little) / from.getUint32(at * 8 + 4, little);
    if (bytes === 2) return from.getUint16(at * 2, little);
    return bytes === 4 ? from.getUint32(at * 4, little) : readUint64(from, at * 8, little);
  });
}

// TIFF 6.0 and its supplements: none, CCITT, LZW, JPEG, Deflate (two numbers) and PackBits.
const codings: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 32_946, 32_773]);
const jpegCoding = 7;
/** White is zero, black is zero, RGB, palette, CMYK, YCbCr, CIELab. */
const photometrics: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 6, 8]);
const bitDepths: ReadonlySet<number> = new Set([1, 2, 4, 8, 16]);
const maxSamples = 5;
const unsigned = 1;

function parsePage(tags: TagValues, index: number): TiffPage {
  const one = (key: number, otherwise: number): number => tags.get(key)?.[0] ?? otherwise;
  const [columns, rows] = [one(tag.width, 0), one(tag.height, 0)];
  if (columns === 0 || rows === 0) throw new TiffError("broken");
  const coding = one(tag.compression, 1);
  const bits = tags.get(tag.bits) ?? [1];
  const isRead =
    codings.has(coding) &&
    photometrics.has(one(tag.photometric, -1)) &&
    bits.every((depth) => depth === bits[0] && bitDepths.has(depth)) &&
    one(tag.samples, 1) <= maxSamples &&
    (tags.get(tag.sampleFormat) ?? [unsigned]).every((format) => format === unsigned) &&
    // A tile is held as a whole, however small its page.
    one(tag.tileWidth, 0) <= Math.max(columns, maxTileSide) &&
    one(tag.tileHeight, 0) <= Math.max(rows, maxTileSide);
  if (!isRead) throw new TiffError("unsupported");
  return {
    index,
    columns,
    rows,
    isReduced: (one(tag.subfile, 0) & 0b101) !== 0,
    isLossy: coding === jpegCoding,
    density: readDensity(one),
  };
}

const units: Readonly<Record<number, number>> = { 2: 1, 3: 2.54 };

function readDensity(one: (key: number, otherwise: number) => number): number | null {
  const [x, y] = [one(tag.xResolution, 0), one(tag.yResolution, 0)];
  const inches = units[one(tag.resolutionUnit, 2)];
  const isOne = x > 0 && Number.isFinite(x) && Math.abs(x - y) <= x / 1000;
  return inches !== undefined && isOne ? x * inches : null;
}

const maxTileSide = 1024;

function toDataView(bytes: Uint8Array, minLength: number): DataView {
  if (bytes.length < minLength) throw new TiffError("broken");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Numbers beyond 2^53 are no offset in any file; a value stored in the entry itself may be anything. */
function readUint64(view: DataView, at: number, little: boolean, mayBeLarge = false): number {
  const value = Number(view.getBigUint64(at, little));
  if (!mayBeLarge && !Number.isSafeInteger(value)) throw new TiffError("broken");
  return value;
}
