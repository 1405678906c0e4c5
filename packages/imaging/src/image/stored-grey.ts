import { computeAutoWindow, toGrey8, type VoiWindow } from "./voi-window.ts";

/** A grey image as viewers receive it: 16 bits a value, little-endian, row by row, frame after frame. */
interface StoredGrey {
  columns: number;
  rows: number;
  signed: boolean;
}

/** The values of its first frame, `[row][column]`. */
export function readStoredValues(
  bytes: Uint8Array,
  { columns, rows, signed }: StoredGrey,
): Int16Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> {
  // A view of 16-bit values wants an even beginning.
  const { buffer, byteOffset } = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  const count = Math.min(columns * rows, Math.floor(bytes.byteLength / 2));
  return signed ? new Int16Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count);
}

/** Its first frame as a viewer opens it: 0 (black) to 255 (white), `[row][column]`. */
export function renderStoredGrey(
  bytes: Uint8Array,
  image: StoredGrey & { window: VoiWindow | null; inverted: boolean },
): Uint8Array {
  const data = readStoredValues(bytes, image);
  const { center, width, shape, table } = image.window ?? computeAutoWindow(data);
  const displaySettings = { center, width, inverted: image.inverted };
  return toGrey8({ data }, { ...displaySettings, ...(shape && { shape }), ...(table !== undefined && { table }) });
}
