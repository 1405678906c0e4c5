import { cross, dot, lengthOf, minus, normalize, plus, rotateVector, times, type Vector } from "../geometry/vector.ts";
import type { ImplantBody } from "./implant-body.ts";

/** An abutment of a stock angle. */
export interface Abutment {
  /** Degrees between the implant's axis and the abutment's. */
  angle: number;
  /** Degrees about the implant's axis, from the patient's front to the patient's left. */
  turn: number;
}

/** A drill sleeve around the axis of an implant, mm. */
export interface SleeveMeasures {
  outer: number;
  height: number;
  /** From the implant's shoulder to the sleeve's lower end. */
  offset: number;
}

/** The unit direction out of the jaw: from an implant's tip to its shoulder (patient LPS). */
export const getOutwardAxis = ({ head, apex }: Pick<ImplantBody, "head" | "apex">): Vector =>
  normalize(minus(head, apex));

/** Degrees between two directions, 0 to 180. */
export function measureAxisAngle(a: Vector, b: Vector): number {
  return (Math.atan2(lengthOf(cross(a, b)), dot(a, b)) * 180) / Math.PI;
}

/** The sleeve as a body whose head is its upper end. */
export function buildSleeve(body: ImplantBody, { outer, height, offset }: SleeveMeasures): ImplantBody {
  const axis = getOutwardAxis(body);
  const lower = plus(body.head, times(axis, offset));
  return { head: plus(lower, times(axis, height)), apex: lower, shoulder: outer / 2, tip: outer / 2 };
}

const [collarMm, postMm] = [1.5, 5.5];

/** A generic abutment: a collar along the implant and a tapered post at the angle. No maker's part has this shape. */
export function buildAbutment(body: ImplantBody, abutment: Abutment): [collar: ImplantBody, post: ImplantBody] {
  const radius = Math.max(1, body.shoulder * 0.8);
  const top = plus(body.head, times(getOutwardAxis(body), collarMm));
  const end = plus(top, times(getAbutmentAxis(body, abutment), postMm));
  return [
    { head: top, apex: body.head, shoulder: radius, tip: radius },
    { head: end, apex: top, shoulder: radius * 0.6, tip: radius },
  ];
}

/** The unit direction of an abutment, out of the jaw. */
export function getAbutmentAxis(body: Pick<ImplantBody, "head" | "apex">, { angle, turn }: Abutment): Vector {
  const axis = getOutwardAxis(body);
  const [front, left] = getTurnDirections(axis);
  const [sin, cos] = [Math.sin(toRadians(turn)), Math.cos(toRadians(turn))];
  const aside = plus(times(front, cos), times(left, sin));
  return plus(times(axis, Math.cos(toRadians(angle))), times(aside, Math.sin(toRadians(angle))));
}

/** The stock abutment whose axis is nearest to the crown's. */
export function findNearestAbutment(
  body: Pick<ImplantBody, "head" | "apex">,
  crownAxis: Vector,
  angles: readonly number[],
): Abutment {
  const axis = getOutwardAxis(body);
  const [front, left] = getTurnDirections(axis);
  const turn = Math.round((Math.atan2(dot(crownAxis, left), dot(crownAxis, front)) * 180) / Math.PI + 360) % 360;
  const wanted = measureAxisAngle(axis, crownAxis);
  const nearest = angles.reduce(
    (best, angle) => (Math.abs(angle - wanted) < Math.abs(best - wanted) ? angle : best),
    angles[0] ?? 0,
  );
  return { angle: nearest, turn };
}

/** Unit vectors square to an axis: towards the patient's front and left, as far as the axis allows. */
function getTurnDirections(axis: Vector): [front: Vector, left: Vector] {
  const anterior: Vector = Math.abs(axis[1]) < 0.9 ? [0, -1, 0] : [0, 0, 1];
  const front = normalize(minus(anterior, times(axis, dot(anterior, axis))));
  const side = rotateVector(front, axis, Math.PI / 2);
  return [front, dot(side, [1, 0, 0]) >= 0 ? side : times(side, -1)];
}

const toRadians = (value: number): number => (value * Math.PI) / 180;
