import type { VoiWindow } from "../image/voi-window.ts";
import type { PixelSpacing } from "../view/measure-lengths-angles.ts";
import type { Affine, Size } from "../view/image-view.ts";

/** An image that is ready for display: 16-bit grey values `[row][column]`, or an ordinary image. */
export type RasterImage = { columns: number; rows: number; spacing: PixelSpacing | null } & (
  | { kind: "grey"; data: Int16Array | Uint16Array }
  | { kind: "image"; bitmap: ImageBitmap }
);

export interface DisplaySettings {
  window: VoiWindow;
  inverted: boolean;
  /** Above 1: dark parts on the screen become brighter. 1 without. */
  gamma?: number;
  /**
   * The amount of detail finer than `Blurred` that is added to the image, for the eye alone: nothing is measured by it.
   * 0 without.
   */
  sharpen?: number;
}

/** The blurred image, for sharpening: the result of `blurred` in picture/blurred. */
export type BlurredImage = { kind: "grey"; data: Int16Array | Uint16Array } | { kind: "image"; bitmap: ImageBitmap };

/** A round part of the canvas in which the image has another matrix; device pixels. */
export interface Lens {
  matrix: Affine;
  at: readonly [x: number, y: number];
  radius: number;
}

export interface ImageRenderer {
  /** Draws the image; the matrix maps image points to device pixels of a canvas of this size. */
  render: (matrix: Affine, size: Size, displaySettings: DisplaySettings, lens?: Lens | null) => void;
  /** Until this has come, nothing is sharpened. */
  setBlurred: (blurred: BlurredImage) => void;
  dispose: () => void;
}

/** The window that changes nothing in an 8-bit image. */
export const identityWindow: VoiWindow = { center: 128, width: 256 };
