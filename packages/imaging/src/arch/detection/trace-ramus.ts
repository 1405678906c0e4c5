import type { ArchFormPoint } from "./arch-form.ts";
import { findBestPath, sideStep, sampleMassesAcross } from "./trace-tooth-line.ts";
import type { TissueMap } from "./tissue-map.ts";

/** The continuation of a line behind its teeth, from its end backwards. */
export interface RamusLine {
  places: readonly { x: number; y: number }[];
  /** `whole`: followed to the hind border of the ramus; `cut`: the field ended before; `lost`: there was none to follow. */
  end: "whole" | "cut" | "lost";
}

const step = 1.5;
/** mm along, more than any ramus is deep. */
const maxLength = 57;
const maxSideways = 18;
/** The angle at which the ramus leaves the row of teeth outwards, about. */
const spread = (11 * Math.PI) / 180;
/** mm of full hardness: a position with less is not part of a ramus. */
const minMass = 1.6;
/** mm behind the hind border of the ramus, over which the condyle leans. */
const pastBorder = 9;
/** mm of the retromolar region, in which no ramus continues. */
const retromolar = 9;

/**
 * Follows the ramus behind the end of a row of teeth: the path with the most bone over it that does not jump.
 * @param map bone of the heights at which the ramus is free of skull and neck
 * @param end the line's last points, the very end last
 * @param side −1 on the patient's right, 1 on the left
 * @param isInField whether a point is inside the field
 */
export function traceRamus(
  map: TissueMap,
  end: readonly { x: number; y: number }[],
  side: -1 | 1,
  isInField: (x: number, y: number) => boolean,
): RamusLine {
  const places = createRay(end, side);
  const fieldEnd = places.findIndex(({ x, y }) => !isInField(x, y));
  const reached = places.slice(0, fieldEnd < 0 ? places.length : fieldEnd);
  if (reached.length < 2) return { places: [], end: "cut" };
  const masses = sampleMassesAcross(map, reached, maxSideways);
  const most = Float64Array.from(masses, (row) => Math.max(...row)).sort();
  const full = Math.max(2 * minMass, most[Math.floor(most.length * 0.6)]);
  const chosen = findBestPath(masses, full, maxSideways / sideStep);
  const found = reached.map((_, at) => masses[at][chosen[at]]);
  const last = found.findLastIndex((mass, at) => mass > minMass && !hasGapBefore(found, at));
  const isFollowed = last * step > retromolar;
  const ends = Math.min(reached.length - 1, isFollowed ? last + pastBorder / step : retromolar / step);
  const offsets = smoothOffsets(
    Array.from(chosen, (choice) => choice * sideStep - maxSideways).slice(0, ends + 1),
    last,
  );
  const line = offsets.map((offset, at) => {
    const { x, y, out } = reached[at];
    return { x: x + offset * out[0], y: y + offset * out[1] };
  });
  return {
    places: line.slice(1).filter(({ x, y }) => isInField(x, y)),
    end: last + pastBorder / step > reached.length && fieldEnd >= 0 ? "cut" : isFollowed ? "whole" : "lost",
  };
}

/** Returns points on a straight line behind the end, with the patient's cheek at `out`. */
function createRay(end: readonly { x: number; y: number }[], side: -1 | 1): ArchFormPoint[] {
  const [from, to] = [end[0], end[end.length - 1]];
  const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ax, ay] = [(to.x - from.x) / long, (to.y - from.y) / long];
  // From above, with y backwards, the patient's left turns outwards against the way from x to y.
  const [cos, sin] = [Math.cos(spread), -side * Math.sin(spread)];
  const [dx, dy] = [ax * cos - ay * sin, ax * sin + ay * cos];
  const out: readonly [number, number] = [side * dy, -side * dx];
  return Array.from({ length: maxLength / step + 1 }, (_, at) => ({
    x: to.x + at * step * dx,
    y: to.y + at * step * dy,
    out,
  }));
}

/**
 * Returns true if there are 6 mm without bone before a position: bone behind such a gap is another bone. The first 9 mm
 * may be a gap behind the teeth.
 */
function hasGapBefore(found: readonly number[], at: number): boolean {
  let empty = 0;
  for (let place = retromolar / step; place <= at; place++) {
    empty = found[place] < minMass ? empty + 1 : 0;
    if (empty * step >= 6) return true;
  }
  return false;
}

/** Means over 9 mm, with the start fixed; behind the last place with bone the line keeps its direction. */
function smoothOffsets(offsets: number[], last: number): number[] {
  const upTo = Math.min(offsets.length - 1, Math.max(1, last));
  for (let at = upTo + 1; at < offsets.length; at++) offsets[at] = offsets[upTo];
  return offsets.map((offset, at) => {
    const reach = Math.min(3, at, offsets.length - 1 - at);
    const near = offsets.slice(at - reach, at + reach + 1);
    return near.length === 0 ? offset : near.reduce((sum, one) => sum + one, 0) / near.length;
  });
}
