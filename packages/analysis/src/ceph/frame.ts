import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import type { Place } from "./geometry.ts";
import { usualPlaces } from "./landmarks.ts";

export type Places = Partial<Record<CephLandmark, Place>>;

/** A tracing with its face on the right. Lengths are mm where `isMm`, else widths of a pixel. */
export interface CephFrame {
  places: Places;
  isMm: boolean;
  /**
   * The direction that the face looks on the cephalogram, however it is rotated; null if too few landmarks are marked
   * to decide.
   */
  faces: "right" | "left" | null;
}

/** Corrects the proportions of the marked landmarks, and mirrors a face that looks to the left. */
export function cephFrame(content: CephContent): CephFrame {
  const places = trueProportions(content);
  const faces = lieOf(places)?.faces ?? null;
  return { places: faces === "left" ? mirrored(places) : places, isMm: content.calibration !== null, faces };
}

function trueProportions({ landmarks, aspect, calibration }: CephContent): Places {
  const unit = calibration ? mmOfPixel(calibration) : 1;
  const places: Places = {};
  for (const [id, [x, y]] of entriesOf(landmarks)) places[id] = [x * unit, y * aspect * unit];
  return places;
}

/** mm in the patient's middle plane for each pixel's width. */
export const mmOfPixel = ({ width, magnification }: NonNullable<CephContent["calibration"]>): number =>
  width / magnification;

export const entriesOf = <T>(record: Partial<Record<CephLandmark, T>>): [CephLandmark, T][] =>
  Object.entries(record) as [CephLandmark, T][];

const mirrored = (places: Places): Places =>
  Object.fromEntries(entriesOf(places).map(([id, [x, y]]) => [id, [-x, y] satisfies Place]));

/**
 * A few collinear landmarks fit the drawn head and its mirror image equally well. The side counts as known only if the
 * worse fit is at most this share of the better one.
 */
const clearly = 0.95;

interface Lie {
  faces: "right" | "left";
  /** Clockwise degrees by which the head is rotated from upright, after a face that looks left was mirrored. */
  turned: number;
}

/**
 * Fits a drawn head to the marked landmarks as they are and mirrored; the better fit decides, however the cephalogram
 * is rotated.
 */
function lieOf(places: Places): Lie | null {
  const marked = entriesOf(places);
  if (marked.length < 3) return null;
  const seen = centred(marked.map(([, place]) => place));
  const usual = centred(marked.map(([id]) => usualPlaces[id]));
  const [right, left] = [1, -1].map((side) => {
    let [real, over] = [0, 0];
    // Complex numbers: the size of the sum measures the overlap after the best rotation and scale.
    seen.forEach(([x, y], at) => {
      const [u, v] = usual[at];
      real += u * side * x + v * y;
      over += u * y - v * side * x;
    });
    return { size: Math.hypot(real, over), turned: (Math.atan2(over, real) * 180) / Math.PI };
  });
  if (Math.min(right.size, left.size) > clearly * Math.max(right.size, left.size)) return null;
  return right.size > left.size ? { faces: "right", turned: right.turned } : { faces: "left", turned: left.turned };
}

/**
 * Returns the clockwise quarter turns that bring the head on a cephalogram upright; 0 if too few landmarks are marked
 * to decide.
 */
export function uprightTurns(content: CephContent): 0 | 1 | 2 | 3 {
  const lie = lieOf(trueProportions(content));
  if (!lie) return 0;
  const clockwise = lie.faces === "right" ? -lie.turned : lie.turned;
  return (((Math.round(clockwise / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
}

export function centred(places: readonly Place[]): Place[] {
  const [x, y] = places.reduce<Place>(([sx, sy], [px, py]) => [sx + px, sy + py], [0, 0]);
  return places.map(([px, py]) => [px - x / places.length, py - y / places.length]);
}
