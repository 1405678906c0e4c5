import { autoWindow, toGrey8, type Window } from "./window.ts";

/** A grey image as viewers receive it: 16 bits a value, little-endian, row by row, frame after frame. */
interface StoredGrey {
  columns: number;
  rows: number;
  signed: boolean;
}

/** The values of its first frame, `[row][column]`. */
export function storedValues(
  bytes: Uint8Array,
  { columns, rows, signed }: StoredGrey,
): Int16Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> {
  // A view of 16-bit values wants an even beginning.
  const { buffer, byteOffset } = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  const count = Math.min(columns * rows, Math.floor(bytes.byteLength / 2));
  return signed ? new Int16Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count);
}

/** Its first frame as a viewer opens it: 0 (black) to 255 (white), `[row][column]`. */
export function openedShades(
  bytes: Uint8Array,
  picture: StoredGrey & { window: Window | null; inverted: boolean },
): Uint8Array {
  const data = storedValues(bytes, picture);
  const { center, width, shape, table } = picture.window ?? autoWindow(data);
  const look = { center, width, inverted: picture.inverted };
  return toGrey8({ data }, { ...look, ...(shape && { shape }), ...(table !== undefined && { table }) });
}
