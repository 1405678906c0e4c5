import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import { cephFrame, centred, entriesOf, type Places } from "./frame.ts";
import { distance, turn, type Place } from "./geometry.ts";

/** On S–N at S, on the palatal plane at ANS, or where the named landmarks fit best (least squares). */
export type Superimposing = "skullBase" | "palate" | readonly CephLandmark[];

export interface Superimposed {
  /** Both are placed as the first is, with its Frankfurt plane level (else S–N less 7 degrees). */
  first: Places;
  second: Places;
  /**
   * True: lengths are in mm. False: they are in pixel widths of the first cephalogram, and both were scaled to one
   * size.
   */
  isMm: boolean;
  /** The movement of each landmark: towards the face, downwards, and in total. */
  moved: { landmark: CephLandmark; forward: number; down: number; distance: number }[];
}

/**
 * Superimposes a tracing on an earlier one. Without a scale on both, the second is brought to the first's size by the
 * base structure, and growth of that structure cannot be seen. Null if the base structure is not marked on both.
 */
export function superimposed(earlier: CephContent, later: CephContent, on: Superimposing): Superimposed | null {
  const [one, other] = [cephFrame(earlier), cephFrame(later)];
  const isMm = one.isMm && other.isMm;
  const base: readonly CephLandmark[] = on === "skullBase" ? ["S", "N"] : on === "palate" ? ["ANS", "PNS"] : on;
  const shared = base.filter((id) => one.places[id] && other.places[id]);
  if (shared.length < 2 || (typeof on === "string" && shared.length < base.length)) return null;
  const first = levelled(one.places);
  const [to, from] = [shared.map((id) => first[id]!), shared.map((id) => other.places[id]!)];
  const isAtFirst = typeof on === "string";
  const move = fitted(from, to, isMm, isAtFirst);
  if (!move) return null;
  const second = mapped(other.places, move);
  const moved = entriesOf(second).flatMap(([landmark, place]) => {
    const before = first[landmark];
    if (!before) return [];
    const [forward, down] = [place[0] - before[0], place[1] - before[1]];
    return [{ landmark, forward, down, distance: Math.hypot(forward, down) }];
  });
  return { first, second, isMm, moved };
}

type Move = (place: Place) => Place;

/**
 * Computes the rotation and shift, and the scale if there is no mm, that fit points onto others; with `isAtFirst` the
 * first pair coincides exactly.
 */
function fitted(from: readonly Place[], to: readonly Place[], isMm: boolean, isAtFirst: boolean): Move | null {
  const aligned = isAtFirst ? (places: readonly Place[]) => shifted(places, places[0]!) : centred;
  const [a, b] = [aligned(from), aligned(to)];
  let [real, over, size] = [0, 0, 0];
  a.forEach(([x, y], at) => {
    const [u, v] = b[at]!;
    real += x * u + y * v;
    over += x * v - y * u;
    size += x * x + y * y;
  });
  const length = Math.hypot(real, over);
  if (length === 0 || size === 0) return null;
  const scale = isMm ? 1 : length / size;
  const [cos, sin] = [(real / length) * scale, (over / length) * scale];
  const [origin, target] = [middleOf(from, isAtFirst), middleOf(to, isAtFirst)];
  return ([x, y]) => {
    const [dx, dy] = [x - origin[0], y - origin[1]];
    return [target[0] + dx * cos - dy * sin, target[1] + dx * sin + dy * cos];
  };
}

const shifted = (places: readonly Place[], [x, y]: Place): Place[] => places.map(([px, py]) => [px - x, py - y]);
const middleOf = (places: readonly Place[], isAtFirst: boolean): Place => {
  if (isAtFirst) return places[0]!;
  const [x, y] = places.reduce<Place>(([sx, sy], [px, py]) => [sx + px, sy + py], [0, 0]);
  return [x / places.length, y / places.length];
};

const mapped = (places: Places, move: Move): Places =>
  Object.fromEntries(entriesOf(places).map(([id, place]) => [id, move(place)]));

/**
 * Returns the points rotated so that the Frankfurt plane is level; without it, so that S–N falls back by the usual 7
 * degrees; without both, unrotated.
 */
export function levelled(places: Places): Places {
  const { Po, Or, S, N } = places;
  const level: Place = [1, 0];
  const tilt =
    Po && Or && distance(Po, Or) > 0
      ? turn([0, 0], level, Po, Or)
      : S && N && distance(S, N) > 0
        ? turn([0, 0], level, S, N) + 7
        : 0;
  const [cos, sin] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  return mapped(places, ([x, y]) => [x * cos + y * sin, y * cos - x * sin]);
}
