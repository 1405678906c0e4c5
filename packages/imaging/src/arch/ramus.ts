import type { FormPlace } from "./arch-form.ts";
import { bestWay, grain, massesBeside } from "./ridge.ts";
import type { TissueMap } from "./tissue-map.ts";

/** The continuation of a line behind its teeth, from its end backwards. */
export interface Tail {
  places: readonly { x: number; y: number }[];
  /** `whole`: followed to the hind border of the ramus; `cut`: the field ended before; `lost`: there was none to follow. */
  end: "whole" | "cut" | "lost";
}

const step = 1.5;
/** mm along, more than any ramus is deep. */
const farthest = 57;
const widest = 18;
/** The angle at which the ramus leaves the row of teeth outwards, about. */
const spread = (11 * Math.PI) / 180;
/** mm of full hardness: less over a place is no ramus. */
const leastMass = 1.6;
/** mm behind the hind border of the ramus, over which the condyle leans. */
const beyond = 9;
/** mm of the retromolar region, in which no ramus continues. */
const retromolar = 9;

/**
 * Follows the ramus behind the end of a row of teeth: the path with the most bone over it that does not jump.
 * @param map bone of the heights at which the ramus is free of skull and neck
 * @param end the line's last places, the very end last
 * @param side −1 on the patient's right, 1 on the left
 * @param isHeld whether a place is inside the field
 */
export function tailBehind(
  map: TissueMap,
  end: readonly { x: number; y: number }[],
  side: -1 | 1,
  isHeld: (x: number, y: number) => boolean,
): Tail {
  const places = rayFrom(end, side);
  const held = places.findIndex(({ x, y }) => !isHeld(x, y));
  const reached = places.slice(0, held < 0 ? places.length : held);
  if (reached.length < 2) return { places: [], end: "cut" };
  const masses = massesBeside(map, reached, widest);
  const most = Float64Array.from(masses, (row) => Math.max(...row)).sort();
  const full = Math.max(2 * leastMass, most[Math.floor(most.length * 0.6)]);
  const chosen = bestWay(masses, full, widest / grain);
  const found = reached.map((_, at) => masses[at][chosen[at]]);
  const last = found.findLastIndex((mass, at) => mass > leastMass && !hasGapBefore(found, at));
  const isFollowed = last * step > retromolar;
  const ends = Math.min(reached.length - 1, isFollowed ? last + beyond / step : retromolar / step);
  const offsets = softened(Array.from(chosen, (choice) => choice * grain - widest).slice(0, ends + 1), last);
  const line = offsets.map((offset, at) => {
    const { x, y, out } = reached[at];
    return { x: x + offset * out[0], y: y + offset * out[1] };
  });
  return {
    places: line.slice(1).filter(({ x, y }) => isHeld(x, y)),
    end: last + beyond / step > reached.length && held >= 0 ? "cut" : isFollowed ? "whole" : "lost",
  };
}

/** Straight places behind the end, with the patient's cheek at `out`. */
function rayFrom(end: readonly { x: number; y: number }[], side: -1 | 1): FormPlace[] {
  const [from, to] = [end[0], end[end.length - 1]];
  const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ax, ay] = [(to.x - from.x) / long, (to.y - from.y) / long];
  // From above, with y backwards, the patient's left turns outwards against the way from x to y.
  const [cos, sin] = [Math.cos(spread), -side * Math.sin(spread)];
  const [dx, dy] = [ax * cos - ay * sin, ax * sin + ay * cos];
  const out: readonly [number, number] = [side * dy, -side * dx];
  return Array.from({ length: farthest / step + 1 }, (_, at) => ({
    x: to.x + at * step * dx,
    y: to.y + at * step * dy,
    out,
  }));
}

/**
 * Returns true if there are 6 mm without bone before a place: bone behind such a gap is another bone. The first 9 mm
 * may be a gap behind the teeth.
 */
function hasGapBefore(found: readonly number[], at: number): boolean {
  let empty = 0;
  for (let place = retromolar / step; place <= at; place++) {
    empty = found[place] < leastMass ? empty + 1 : 0;
    if (empty * step >= 6) return true;
  }
  return false;
}

/** Means over 9 mm, with the start fixed; behind the last place with bone the line keeps its direction. */
function softened(offsets: number[], last: number): number[] {
  const upTo = Math.min(offsets.length - 1, Math.max(1, last));
  for (let at = upTo + 1; at < offsets.length; at++) offsets[at] = offsets[upTo];
  return offsets.map((offset, at) => {
    const reach = Math.min(3, at, offsets.length - 1 - at);
    const near = offsets.slice(at - reach, at + reach + 1);
    return near.length === 0 ? offset : near.reduce((sum, one) => sum + one, 0) / near.length;
  });
}
