/** An image of an icon file: a whole PNG, or pixels as RGBA (row by row from the top, four bytes each). */
export type IconImage = { png: Uint8Array } | { width: number; height: number; rgba: Uint8Array };

/**
 * Returns the largest image of an `.ico` file. Throws if the file is none, is truncated, or is coded in a way that
 * icons are not (compressed bitmaps). Layout: ICONDIR of 6 bytes, then 16 bytes for each image; an image is a PNG or a
 * bitmap without its file header.
 */
export function readIcon(file: Uint8Array): IconImage {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint16(0, true) !== 0 || view.getUint16(2, true) !== 1) throw new RangeError("not an icon");
  const count = view.getUint16(4, true);
  if (count === 0 || count > most) throw new RangeError("no picture in the icon");
  const entries = Array.from({ length: count }, (_, at) => readEntry(view, 6 + 16 * at));
  const [largest] = entries.toSorted((one, other) => other.side - one.side || other.bits - one.bits);
  const bytes = file.subarray(largest!.start, largest!.start + largest!.bytes);
  if (bytes.length < largest!.bytes) throw new RangeError("the icon is cut off");
  return isPng(bytes) ? { png: bytes } : readBitmap(bytes);
}
const most = 64;

/** A side of 256 is written as 0. */
const readEntry = (view: DataView, at: number) => ({
  side: view.getUint8(at) || 256,
  bits: view.getUint16(at + 6, true),
  bytes: view.getUint32(at + 8, true),
  start: view.getUint32(at + 12, true),
});

const isPng = (bytes: Uint8Array): boolean => [0x89, 0x50, 0x4e, 0x47].every((byte, at) => bytes[at] === byte);

/** BITMAPINFOHEADER: its height counts the image and the mask below it. */
function readBitmap(bytes: Uint8Array): IconImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.getUint32(0, true);
  const width = view.getInt32(4, true);
  const height = view.getInt32(8, true) / 2;
  const bits = view.getUint16(14, true);
  const usual = head >= 40 && head <= 124 && view.getUint32(16, true) === 0;
  if (!usual || ![1, 4, 8, 24, 32].includes(bits)) throw new RangeError("an unusual bitmap");
  if (width < 1 || width > 1024 || height < 1 || height > 1024 || !Number.isInteger(height))
    throw new RangeError("an icon has no such size");
  const colours = bits > 8 ? 0 : view.getUint32(32, true) || 2 ** bits;
  if (colours > 256) throw new RangeError("too many colours");
  const pixels = head + 4 * colours;
  const rowBytes = rowBytesFor(width * bits);
  const mask = pixels + rowBytes * height;
  if (bytes.length < mask) throw new RangeError("the bitmap is cut off");
  const rgba = new Uint8Array(width * height * 4);
  const source = { bytes, bits, palette: head, colours, mask, maskRow: rowBytesFor(width) };
  for (let y = 0; y < height; y++) copyRow(rgba, y, width, pixels + rowBytes * (height - 1 - y), source);
  return { width, height, rgba: bits === 32 ? rgba : applyMask(rgba, width, height, source) };
}

/** Rows end at a multiple of four bytes. */
const rowBytesFor = (bits: number): number => Math.ceil(bits / 32) * 4;

interface Bitmap {
  bytes: Uint8Array;
  bits: number;
  palette: number;
  colours: number;
  mask: number;
  maskRow: number;
}

function copyRow(rgba: Uint8Array, y: number, width: number, row: number, source: Bitmap): void {
  const { bytes, bits, palette, colours } = source;
  for (let x = 0; x < width; x++) {
    const to = (y * width + x) * 4;
    const from = bits > 8 ? row + (x * bits) / 8 : palette + 4 * paletteIndex(bytes, row, x, bits, colours);
    rgba[to] = bytes[from + 2]!;
    rgba[to + 1] = bytes[from + 1]!;
    rgba[to + 2] = bytes[from]!;
    rgba[to + 3] = bits === 32 ? bytes[from + 3]! : 255;
  }
}

function paletteIndex(bytes: Uint8Array, row: number, x: number, bits: number, colours: number): number {
  const byte = bytes[row + Math.floor((x * bits) / 8)]!;
  const index = (byte >> (8 - bits - ((x * bits) % 8))) & (2 ** bits - 1);
  if (index >= colours) throw new RangeError("a colour that the bitmap does not have");
  return index;
}

/** The mask has one bit for each pixel, set where it is transparent; some icons leave the mask out. */
function applyMask(rgba: Uint8Array, width: number, height: number, { bytes, mask, maskRow }: Bitmap): Uint8Array {
  if (bytes.length < mask + maskRow * height) return rgba;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ((bytes[mask + maskRow * (height - 1 - y) + (x >> 3)]! >> (7 - (x & 7))) & 1)
        rgba[(y * width + x) * 4 + 3] = 0;
  return rgba;
}
