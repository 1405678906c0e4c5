import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import type { Place } from "./geometry.ts";
import { usualPlaces } from "./landmarks.ts";

export type Places = Partial<Record<CephLandmark, Place>>;

/** A tracing with its face on the right. Lengths are mm where `isMm`, else widths of a pixel. */
export interface CephFrame {
  places: Places;
  isMm: boolean;
  /** Where the face looks on the film, however it is turned; null where too little is marked to tell. */
  faces: "right" | "left" | null;
}

/** Brings what was marked into true proportions, and a face that looks to the left to the right. */
export function cephFrame({ landmarks, aspect, calibration }: CephContent): CephFrame {
  const unit = calibration ? mmOfPixel(calibration) : 1;
  const places: Places = {};
  for (const [id, [x, y]] of entriesOf(landmarks)) places[id] = [x * unit, y * aspect * unit];
  const faces = facing(places);
  return { places: faces === "left" ? mirrored(places) : places, isMm: calibration !== null, faces };
}

/** mm in the patient's middle plane for each pixel's width. */
export const mmOfPixel = ({ width, magnification }: NonNullable<CephContent["calibration"]>): number =>
  width / magnification;

export const entriesOf = <T>(record: Partial<Record<CephLandmark, T>>): [CephLandmark, T][] =>
  Object.entries(record) as [CephLandmark, T][];

const mirrored = (places: Places): Places =>
  Object.fromEntries(entriesOf(places).map(([id, [x, y]]) => [id, [-x, y] satisfies Place]));

/** Of a few landmarks in one line nobody can tell which side they were seen from. */
const clearly = 0.95;

/** A drawn head is laid over what was marked as it is and mirrored; the better fit tells, whatever the film's turn. */
function facing(places: Places): CephFrame["faces"] {
  const marked = entriesOf(places);
  if (marked.length < 3) return null;
  const seen = centred(marked.map(([, place]) => place));
  const usual = centred(marked.map(([id]) => usualPlaces[id]));
  // Complex numbers: the size of the sum is how well the one lies over the other after the best turn and scale.
  let [asIs, asIsOver, turned, turnedOver] = [0, 0, 0, 0];
  seen.forEach(([x, y], at) => {
    const [u, v] = usual[at];
    asIs += u * x + v * y;
    asIsOver += u * y - v * x;
    turned += u * x - v * y;
    turnedOver += u * y + v * x;
  });
  const [right, left] = [Math.hypot(asIs, asIsOver), Math.hypot(turned, turnedOver)];
  if (Math.min(right, left) > clearly * Math.max(right, left)) return null;
  return right > left ? "right" : "left";
}

export function centred(places: readonly Place[]): Place[] {
  const [x, y] = places.reduce<Place>(([sx, sy], [px, py]) => [sx + px, sy + py], [0, 0]);
  return places.map(([px, py]) => [px - x / places.length, py - y / places.length]);
}
