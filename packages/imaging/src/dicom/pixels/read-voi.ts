import type { VoiWindow } from "../../image/voi-window.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import { readLut } from "./lut.ts";
import { tags } from "../parse/tags.ts";

/** Values of an image are its data times `scale`, plus `offset`: 1 and 0 if the data are the values. */
export interface Scaling {
  scale: number;
  offset: number;
}

/**
 * Returns the window that an image, a frame's functional group or a presentation state names: centre and width with
 * their function, else a look-up table; null if there is neither. In modality values. Source: PS3.3 C.11.2.1.2 and
 * C.11.2.1.3; if both are present, both are valid and the first is shown.
 * @param signed whether modality values may be negative: a table's first value is then signed
 */
export function readVoiWindow(item: DicomItem, signed: boolean): VoiWindow | null {
  const [center, width] = [item.number(tags.windowCenter), item.number(tags.windowWidth)];
  const shape = functionShapes[item.text(tags.voiFunction) ?? ""];
  if (center !== null && width !== null && (shape ? width > 0 : width >= 1))
    return { center, width, ...(shape && { shape }) };
  const table = item.sequence(tags.voiLutSequence)[0];
  return table === undefined ? null : windowFromTable(table, signed);
}

const functionShapes: Record<string, "linearExact" | "sigmoid"> = { LINEAR_EXACT: "linearExact", SIGMOID: "sigmoid" };

function windowFromTable(item: DicomItem, signed: boolean): VoiWindow | null {
  const { first, entries } = readLut(item, signed);
  const [, , bits = 16] = item.numbers(tags.lutDescriptor);
  const highest = entries.reduce((one, other) => Math.max(one, other), 0);
  // Writers name too few bits now and then; shades beyond white would be black again.
  const white = Math.max(2 ** Math.min(16, Math.max(8, bits)) - 1, highest);
  const letters = entries.map((entry) => String.fromCharCode(Math.round((entry / white) * 255)));
  const width = entries.length;
  return { center: first + width / 2, width, shape: "table", table: btoa(letters.join("")) };
}

/** Converts a window in modality values to the data of a scaled image. */
export function scaleWindow(window: VoiWindow, { scale, offset }: Scaling): VoiWindow {
  if (scale === 1 && offset === 0) return window;
  const { center, width, shape } = window;
  if (shape) return { ...window, center: (center - offset) / scale, width: width / scale };
  // LINEAR counts whole values. Between them, it equals LINEAR_EXACT with a width of one value less and a centre half a
  // value lower.
  return { center: (center - 0.5 - offset) / scale, width: (width - 1) / scale, shape: "linearExact" };
}
