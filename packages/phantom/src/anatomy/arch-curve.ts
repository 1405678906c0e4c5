import { createSpline, type Point2 } from "../math/shape-functions.ts";

export type JawName = "upper" | "lower";

export type CurvePoint = { x: number; y: number; tangent: Point2 };

/** A curve in the horizontal plane, walked by its length from the midline (negative: the patient's right), in mm. */
export type ArchCurve = { length: number; at: (place: number) => CurvePoint };

// y = front + rise · |x|^bend, which is flat at the incisors and steep at the molars; at x = reach it has come to y = back.
const archForms = {
  upper: { front: -40, reach: 28.5, back: 6 },
  lower: { front: -37.5, reach: 27, back: 5.5 },
} as const;
const bend = 2.4;

/** The line through the middles of the teeth of one jaw. */
export function createArchCurve(jaw: JawName, scale: number): ArchCurve {
  return createMirroredCurve(createArchPoints(jaw, scale, 33));
}

/** The lower jaw from the chin along the teeth and on through the ramus to the condyle. */
export function createJawCurve(scale: number): ArchCurve {
  const front = createArchPoints("lower", scale, 25);
  const back: Point2[] = [
    [32, 17],
    [36.5, 26],
    [41, 35],
    [45, 43],
    [48.5, 50],
    [52, 57],
  ];
  const coarse = front.filter((_, i) => i % 20 === 0);
  return createMirroredCurve(createSpline([...coarse, ...back.map(([x, y]): Point2 => [x * scale, y * scale])], 24));
}

function createArchPoints(jaw: JawName, scale: number, widest: number): Point2[] {
  const { front, reach, back } = archForms[jaw];
  const points: Point2[] = [];
  for (let x = 0; x <= widest; x += 0.1)
    points.push([x * scale, (front + (back - front) * (x / reach) ** bend) * scale]);
  return points;
}

function createMirroredCurve(points: readonly Point2[]): ArchCurve {
  const lengths = new Float64Array(points.length);
  for (let i = 1; i < points.length; i++) {
    lengths[i] = lengths[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  }
  const at = (place: number): CurvePoint => {
    const side = place < 0 ? -1 : 1;
    const i = Math.min(points.length - 2, findIndexBefore(lengths, Math.abs(place)));
    const span = lengths[i + 1] - lengths[i];
    const [dx, dy] = [(points[i + 1][0] - points[i][0]) / span, (points[i + 1][1] - points[i][1]) / span];
    const rest = Math.abs(place) - lengths[i];
    return { x: side * (points[i][0] + dx * rest), y: points[i][1] + dy * rest, tangent: [dx, side * dy] };
  };
  return { length: lengths[lengths.length - 1], at };
}

function findIndexBefore(lengths: Float64Array, value: number): number {
  let [low, high] = [0, lengths.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lengths[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}
