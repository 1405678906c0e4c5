import { toGrey8, type Window } from "../picture/window.ts";
import { overlayOf } from "./overlay.ts";
import { decodeFrame, greyOf, isColour, rgbOf } from "./pixels.ts";
import type { DicomFile } from "./read.ts";
import { inData } from "./voi.ts";

/** A frame as it is shown: 8 bits, `[row][column][channel]`. */
export interface ShownFrame {
  rows: number;
  columns: number;
  channels: 1 | 3;
  data: Uint8Array;
}

/**
 * A frame (counted from 0) through modality and VOI transformation, its overlays drawn over it in white.
 * @param window in modality values, instead of the file's own
 * @throws DicomError of decoding
 */
export async function shownFrame(file: DicomFile, frame: number, window: Window | null = null): Promise<ShownFrame> {
  const raw = await decodeFrame(file, frame);
  const shown = isColour(raw) ? { ...rgbOf(file, raw), channels: 3 as const } : greyFrame();
  const overlay = overlayOf(file, frame);
  if (overlay) draw(shown, overlay);
  return shown;

  function greyFrame() {
    const grey = greyOf(file, raw, frame);
    const { rows, columns, inverted } = grey;
    const data = toGrey8(grey, { ...(window ? inData(window, grey) : grey.window), inverted });
    return { rows, columns, channels: 1 as const, data };
  }
}

function draw({ data, channels }: ShownFrame, overlay: Uint8Array): void {
  for (let at = 0; at < overlay.length; at++) if (overlay[at]) data.fill(255, at * channels, (at + 1) * channels);
}
