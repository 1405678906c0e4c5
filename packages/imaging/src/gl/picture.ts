import type { Window } from "../picture/window.ts";
import type { PixelSpacing } from "../view/measure.ts";
import type { Affine, Size } from "../view/picture-view.ts";

/** A picture that is ready to be shown: 16-bit grey values `[row][column]`, or an ordinary picture. */
export type Picture = { columns: number; rows: number; spacing: PixelSpacing | null } & (
  | { kind: "grey"; data: Int16Array | Uint16Array }
  | { kind: "image"; bitmap: ImageBitmap }
);

export interface Look {
  window: Window;
  inverted: boolean;
}

export interface PicturePainter {
  /** Draws the picture; the matrix goes from image points to device pixels of a canvas of this size. */
  paint: (matrix: Affine, size: Size, look: Look) => void;
  dispose: () => void;
}

/** The window that changes nothing in an 8-bit picture. */
export const plainWindow: Window = { center: 128, width: 256 };
