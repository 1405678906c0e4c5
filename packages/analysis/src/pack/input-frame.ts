import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { EngineImage } from "../engine.ts";
import type { Box } from "./detection-postprocessing.ts";

/** The place of an image in a model's input, in pixels of the input. */
export interface FramePlace {
  left: number;
  top: number;
  columns: number;
  rows: number;
}

type Size = Pick<EngineImage, "columns" | "rows">;
type FrameSize = Pick<PackManifest["input"], "w" | "h" | "fit">;

/** Returns the place of an image in the input: all of it, or in the middle with the image's own proportions. */
export function placeInFrame({ columns, rows }: Size, { w, h, fit }: FrameSize): FramePlace {
  if (fit === "stretch") return { left: 0, top: 0, columns: w, rows: h };
  const scale = Math.min(w / columns, h / rows);
  const wide = Math.min(w, Math.max(1, Math.round(columns * scale)));
  const high = Math.min(h, Math.max(1, Math.round(rows * scale)));
  return { left: Math.floor((w - wide) / 2), top: Math.floor((h - high) / 2), columns: wide, rows: high };
}

/** Returns the function from pixels of the input to pixels of the image; points in a margin lie outside the image. */
export function frameToImage(image: Size, input: FrameSize): (x: number, y: number) => [number, number] {
  const place = placeInFrame(image, input);
  return (x, y) => [((x - place.left) * image.columns) / place.columns, ((y - place.top) * image.rows) / place.rows];
}

/** Returns a box of the input as the part of the image that it covers, in the image's pixels; null if it covers none. */
export function boxToImage(box: Box, image: Size, input: FrameSize): Box | null {
  const toImage = frameToImage(image, input);
  const [left, top] = toImage(box.left, box.top);
  const [right, bottom] = toImage(box.right, box.bottom);
  const clipped = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(image.columns, right),
    bottom: Math.min(image.rows, bottom),
  };
  return clipped.right > clipped.left && clipped.bottom > clipped.top ? clipped : null;
}
