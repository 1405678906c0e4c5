import { tissueLevels } from "../arch/hard-tissue.ts";
import { toneOf, type Window } from "../picture/window.ts";

/** The share of bone and teeth that may be white: more, and dentine and enamel are one white. */
const most = 0.15;

/**
 * Returns true if a window shows more than 15 % of a volume's hard tissue as plain white; hard tissue is separated from
 * soft tissue by the values alone. The window of a head CT for soft tissue does so, one for bone does not.
 * @param values of the volume, evenly taken, on the window's scale
 */
export function burnsOut(window: Window, values: Int32Array): boolean {
  const levels = tissueLevels(values);
  if (!levels) return false;
  const tone = toneOf(window);
  let [hard, white] = [0, 0];
  for (const value of values) {
    if (value <= levels.bone) continue;
    hard++;
    if (tone(value) > 254) white++;
  }
  return hard > 0 && white / hard > most;
}
