import { computeTissueLevels } from "./hard-tissue.ts";
import { createToneFunction, type VoiWindow } from "../image/voi-window.ts";

/** The share of bone and teeth that may be white: more, and dentine and enamel are one white. */
const maxWhiteShare = 0.15;

/**
 * Returns true if a window shows more than 15 % of a volume's hard tissue as plain white; hard tissue is separated from
 * soft tissue by the values alone. The window of a head CT for soft tissue does so, one for bone does not.
 * @param values of the volume, evenly taken, on the window's scale
 */
export function saturatesHardTissue(window: VoiWindow, values: Int32Array): boolean {
  const levels = computeTissueLevels(values);
  if (!levels) return false;
  const tone = createToneFunction(window);
  let [hard, white] = [0, 0];
  for (const value of values) {
    if (value <= levels.bone) continue;
    hard++;
    if (tone(value) > 254) white++;
  }
  return hard > 0 && white / hard > maxWhiteShare;
}
