import { describe, expect, it } from "vitest";
import { getCephRulerEnds, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { calibrateSpacing } from "./calibrate-spacing.ts";
import {
  measureAngle,
  measureLength,
  measureLineAngle,
  type PixelSpacing,
  type Point2D,
} from "./measure-lengths-angles.ts";
import { applyAffine, invertAffine, setViewRotation, computeViewMatrix, type ImageView } from "./image-view.ts";

/** Returns the points as a user would set them on the screen: to half a pixel of it. */
function drawn(view: ImageView, spacing: PixelSpacing | null, points: readonly Point2D[]): Point2D[] {
  const matrix = computeViewMatrix(
    view,
    { columns: cephSize.columns, rows: cephSize.rows, spacing },
    { width: 900, height: 700 },
  );
  return points.map((point) => {
    const [x, y] = applyAffine(matrix, point);
    return applyAffine(invertAffine(matrix), [Math.round(x * 2) / 2, Math.round(y * 2) / 2]);
  });
}

const { from, to, length } = getCephRulerEnds();
const ruler: readonly Point2D[] = [
  [from.column + 0.5, from.row + 0.5],
  [to.column + 0.5, to.row + 0.5],
];
const detector = { row: cephSize.pixel, column: cephSize.pixel };
const patient = { row: cephSize.pixel / cephSize.enlarged, column: cephSize.pixel / cephSize.enlarged };
const views: ImageView[] = [
  { zoom: 2, centre: ruler[0], turns: 0, mirrored: false },
  { zoom: 1.3, centre: ruler[1], turns: 1, mirrored: true },
  setViewRotation({ zoom: 3, centre: ruler[0], turns: 0, mirrored: false }, 33),
];

describe("lengths and angles in a cephalogram with a ruler", () => {
  it.each(views)("give the ruler's millimetres however the image is rotated", (view) => {
    const [a, b] = drawn(view, patient, ruler) as [Point2D, Point2D];
    expect(Math.abs(measureLength(a, b, patient).value - length)).toBeLessThan(0.1);
    // On the detector everything is larger than it is.
    expect(measureLength(a, b, detector).value).toBeGreaterThan(length * 1.05);
  });

  it("give them by the calibration on the ruler itself, without a spacing, and with pixels that are not square", () => {
    for (const spacing of [null, detector, { row: 0.2, column: 0.1 }]) {
      const told = calibrateSpacing(spacing, ruler[0], ruler[1], length)!;
      expect(measureLength(ruler[0], ruler[1], told).value).toBeCloseTo(length, 9);
      const proportion = spacing ? spacing.row / spacing.column : 1;
      expect(told.row / told.column).toBeCloseTo(proportion, 9);
    }
    expect(calibrateSpacing(null, [5, 5], [5, 5], 10)).toBeNull();
  });

  it("give angles between lines of known directions, also with pixels that are not square", () => {
    const tall = { row: 0.2, column: 0.1 };
    const at = (x: number, y: number, spacing: PixelSpacing): Point2D => [
      800 + x / spacing.column,
      700 + y / spacing.row,
    ];
    for (const spacing of [patient, tall])
      for (const view of views) {
        const place = (degrees: number): Point2D => [30 * Math.cos(degrees), 30 * Math.sin(degrees)];
        const [x, y] = place((70 * Math.PI) / 180);
        const set = drawn({ ...view, zoom: 6 }, spacing, [
          at(0, 0, spacing),
          at(30, 0, spacing),
          at(10, 40, spacing),
          at(10 + x, 40 + y, spacing),
        ]) as [Point2D, Point2D, Point2D, Point2D];
        expect(Math.abs(measureLineAngle(...set, spacing).value - 70)).toBeLessThan(0.3);
        const [corner, arm] = drawn({ ...view, zoom: 6 }, spacing, [at(0, 0, spacing), at(x, y, spacing)]) as [
          Point2D,
          Point2D,
        ];
        expect(Math.abs(measureAngle(set[1], corner, arm, spacing).value - 70)).toBeLessThan(0.3);
      }
  });

  it("give the same angle between two lines whichever end was drawn first, up to 90 degrees", () => {
    const lines = [
      [0, 0],
      [10, 0],
      [50, 50],
      [40, 40],
    ] as const satisfies readonly Point2D[];
    const [a, b, c, d] = lines;
    expect(measureLineAngle(a, b, c, d, null).value).toBeCloseTo(45, 9);
    expect(measureLineAngle(b, a, c, d, null).value).toBeCloseTo(45, 9);
  });

  it("give ratios that no calibration changes", () => {
    const ratio = (spacing: PixelSpacing | null) =>
      measureLength([10, 20], [310, 20], spacing).value / measureLength([40, 80], [160, 80], spacing).value;
    expect(ratio(null)).toBeCloseTo(2.5, 9);
    expect(ratio(patient)).toBeCloseTo(2.5, 9);
    expect(ratio({ row: 0.2, column: 0.1 })).toBeCloseTo(2.5, 9);
  });
});
