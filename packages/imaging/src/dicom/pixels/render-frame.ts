import { toGrey8, type VoiWindow } from "../../image/voi-window.ts";
import { readOverlay } from "./overlay.ts";
import { decodeFrame, greyOf, isColour, rgbOf } from "./decode-frame.ts";
import { scaleWindow } from "./read-voi.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** A frame as it is shown: 8 bits, `[row][column][channel]`. */
export interface RenderedFrame {
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
export async function renderFrame(
  file: DicomFile,
  frame: number,
  window: VoiWindow | null = null,
): Promise<RenderedFrame> {
  const raw = await decodeFrame(file, frame);
  const rendered = isColour(raw) ? { ...rgbOf(file, raw), channels: 3 as const } : renderGrey();
  const overlay = readOverlay(file, frame);
  if (overlay) drawOverlay(rendered, overlay);
  return rendered;

  function renderGrey() {
    const grey = greyOf(file, raw, frame);
    const { rows, columns, inverted } = grey;
    const data = toGrey8(grey, { ...(window ? scaleWindow(window, grey) : grey.window), inverted });
    return { rows, columns, channels: 1 as const, data };
  }
}

function drawOverlay({ data, channels }: RenderedFrame, overlay: Uint8Array): void {
  for (let at = 0; at < overlay.length; at++) if (overlay[at]) data.fill(255, at * channels, (at + 1) * channels);
}
