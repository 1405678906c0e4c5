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
  /** Above 1: what is dark on the screen comes nearer to white. 1 without. */
  gamma?: number;
  /** How much of what is finer than `Blurred` is added to the picture, for the eye alone: nothing is measured by it. 0 without. */
  sharpen?: number;
}

/** The picture out of focus, for sharpening: what `blurred` in picture/blurred makes of it. */
export type Blurred = { kind: "grey"; data: Int16Array | Uint16Array } | { kind: "image"; bitmap: ImageBitmap };

/** A round piece of the canvas in which the picture lies by another matrix; device pixels. */
export interface Lens {
  matrix: Affine;
  at: readonly [x: number, y: number];
  radius: number;
}

export interface PicturePainter {
  /** Draws the picture; the matrix goes from image points to device pixels of a canvas of this size. */
  paint: (matrix: Affine, size: Size, look: Look, lens?: Lens | null) => void;
  /** Until this has come, nothing is sharpened. */
  takeBlurred: (blurred: Blurred) => void;
  dispose: () => void;
}

/** The window that changes nothing in an 8-bit picture. */
export const plainWindow: Window = { center: 128, width: 256 };
