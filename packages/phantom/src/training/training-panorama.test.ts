import { describe, expect, it } from "vitest";
import { createTrainingPanorama, trainingFilm } from "./training-panorama.ts";

const films = Array.from({ length: 6 }, (_, at) => createTrainingPanorama(`test ${at}`));
const [first, second] = films as [(typeof films)[number], (typeof films)[number]];

describe("a drawn panoramic film for training", () => {
  it("is the same for the same seed, and another one for another", () => {
    const again = createTrainingPanorama("test 0");
    expect(Buffer.from(again.pixels).equals(Buffer.from(first.pixels))).toBe(true);
    expect(again.teeth).toEqual(first.teeth);
    expect(second.teeth).not.toEqual(first.teeth);
  });

  it("has each tooth once, in a box on the film", () => {
    for (const { teeth } of films) {
      expect(teeth.length).toBeGreaterThan(4);
      expect(new Set(teeth.map(({ fdi }) => fdi)).size).toBe(teeth.length);
      for (const { box } of teeth) {
        expect(box.right - box.left).toBeGreaterThan(2);
        expect(box.bottom - box.top).toBeGreaterThan(2);
        expect(box.left >= 0 && box.top >= 0).toBe(true);
        expect(box.right <= trainingFilm.columns && box.bottom <= trainingFilm.rows).toBe(true);
      }
    }
  });

  it("shows the patient's right on the left and the upper jaw above", () => {
    for (const { teeth } of films) {
      const average = (of: typeof teeth, axis: 0 | 1) =>
        of.reduce((sum, tooth) => sum + middle(tooth)[axis], 0) / of.length;
      const inQuadrants = (...quadrants: number[]) =>
        teeth.filter(({ fdi }) => quadrants.includes(((Math.floor(fdi / 10) - 1) % 4) + 1));
      const [right, left] = [inQuadrants(1, 4), inQuadrants(2, 3)];
      const [upper, lower] = [inQuadrants(1, 2), inQuadrants(3, 4)];
      if (right.length > 0 && left.length > 0) expect(average(right, 0)).toBeLessThan(average(left, 0));
      if (upper.length > 0 && lower.length > 0) expect(average(upper, 1)).toBeLessThan(average(lower, 1));
    }
  });

  it("has teeth that are brighter than the film", () => {
    const inTeeth = films.flatMap(({ teeth, pixels, columns }) =>
      teeth.map((tooth) => {
        const [x, y] = middle(tooth);
        return pixels[Math.round(y) * columns + Math.round(x)] ?? 0;
      }),
    );
    const all = films.flatMap(({ pixels }) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length);
    expect(mean(inTeeth)).toBeGreaterThan(1.2 * mean(all));
  });
});

const middle = ({ box }: (typeof first.teeth)[number]): [number, number] => [
  (box.left + box.right) / 2,
  (box.top + box.bottom) / 2,
];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
