import { createToneFunction, type VoiWindow } from "../../image/voi-window.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import { readLut } from "../pixels/lut.ts";
import { tags } from "../parse/tags.ts";

/** More shades than that no screen has. */
const maxShades = 4096;

/**
 * Combines a window and the presentation look-up table that follows it into one table: the table's first entry receives
 * what the window shows black, its last what it shows white (PS3.3 C.11.4).
 * @param item of the Presentation LUT Sequence
 * @throws DicomError truncated if the table is too short
 */
export function applyPresentationLut(window: VoiWindow, item: DicomItem): VoiWindow {
  const { entries } = readLut(item, false);
  const [, , bits = 16] = item.numbers(tags.lutDescriptor);
  const [last, white] = [entries.length - 1, 2 ** bits - 1];
  const tone = createToneFunction(window);
  // A sigmoid continues beyond its width; three widths to each side it is within a shade of its end.
  const width = window.shape === "sigmoid" ? window.width * 6 : window.width;
  const first = window.center - width / 2;
  const count = Math.max(2, Math.min(maxShades, Math.ceil(width)));
  // One shade for each whole value is that value's own, else of the middle of its part.
  const valueAt = (index: number): number =>
    count === width ? Math.ceil(first + index) : first + ((index + 0.5) * width) / count;
  const letters = Array.from({ length: count }, (_, index) => {
    const entry = entries[Math.round((tone(valueAt(index)) / 255) * last)] ?? 0;
    return String.fromCharCode(Math.round((Math.min(entry, white) / white) * 255));
  });
  return { center: window.center, width, shape: "table", table: btoa(letters.join("")) };
}
