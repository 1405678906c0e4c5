import { createSpline, distanceToOutline, smoothStep, type Point2 } from "../math/shape-functions.ts";

/** Teeth as the side view shows them, in mm of the drawn head: the most forward incisors, and the rows behind them. */
const upperIncisor = createSpline(
  [
    [45, 19],
    [48.5, 10],
    [53.2, 7],
    [55.3, 3],
    [55, -3],
    [51.5, 2],
    [48.2, 6],
    [45.6, 10],
    [45, 19],
  ],
  4,
);
const lowerIncisor = createSpline(
  [
    [41.5, -20],
    [46.5, -12],
    [50.2, -8],
    [52, -4],
    [52, -1],
    [49.2, -4.5],
    [46.2, -7.5],
    [43, -11],
    [41.5, -20],
  ],
  4,
);

/** Fore end of each crown, width of the crown, and length of the root, from the canines to the second molars. */
const row = [
  [46, 7, 17],
  [39.5, 7, 14],
  [33, 7, 14],
  [26, 10.5, 13],
  [15, 10.5, 13],
] as const;

const teeth: readonly { outline: readonly Point2[]; crownEnd: number }[] = [
  { outline: upperIncisor, crownEnd: 7 },
  { outline: lowerIncisor, crownEnd: -8 },
  ...row.flatMap(([front, width, root]) =>
    [1, -1].map((side) => ({ outline: outlineOf(front, width, root, side), crownEnd: side * 8 })),
  ),
];

/** The attenuation at a point of the side view, with the teeth that are there: bright crowns, roots less so. */
export function addCephTeeth(tissue: number, x: number, y: number): number {
  let sum = tissue;
  for (const { outline, crownEnd } of teeth) {
    const distance = distanceToOutline(outline, x, y, 1);
    if (distance > 0.5) continue;
    const isCrown =
      crownEnd > 0 ? smoothStep(crownEnd + 1, crownEnd - 1, y) : smoothStep(crownEnd - 1, crownEnd + 1, y);
    sum += smoothStep(0.5, -0.5, distance) * (0.12 + 0.14 * isCrown);
  }
  return sum;
}

/** A crown with its root; the upper row meets the lower one half a millimetre above the occlusal plane. */
function outlineOf(front: number, width: number, root: number, side: number): Point2[] {
  const back = front - width;
  const middle = front - width / 2;
  const place = (x: number, y: number): Point2 => [x, side * y];
  return createSpline(
    [
      place(front, 1.5),
      place(front, 6),
      place(middle + width * 0.3, 9),
      place(middle + 0.8, 8 + root),
      place(middle - 0.8, 8 + root),
      place(middle - width * 0.3, 9),
      place(back, 6),
      place(back, 1.5),
      place(middle - width * 0.25, 0.4),
      place(middle, 1.2),
      place(middle + width * 0.25, 0.4),
      place(front, 1.5),
    ],
    3,
  );
}
