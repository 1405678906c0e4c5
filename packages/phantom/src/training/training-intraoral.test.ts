import { describe, expect, it } from "vitest";
import { createHeldBackIntraoral, createTrainingIntraoral } from "./training-intraoral.ts";

const films = Array.from({ length: 8 }, (_, at) => createTrainingIntraoral(`test ${at}`));
const [first, second] = films as [(typeof films)[number], (typeof films)[number]];
const isUpper = (fdi: number): boolean => [1, 2, 5, 6].includes(Math.floor(fdi / 10));

describe("a drawn intra-oral film for training", () => {
  it("is the same for the same seed, and another one for another", () => {
    const again = createTrainingIntraoral("test 0");
    expect(Buffer.from(again.pixels).equals(Buffer.from(first.pixels))).toBe(true);
    expect(again.teeth).toEqual(first.teeth);
    expect(second.teeth).not.toEqual(first.teeth);
  });

  it("has each tooth once, in a box on the film", () => {
    for (const { teeth, columns, rows, pixels } of films) {
      expect(pixels.length).toBe(columns * rows);
      expect(teeth.length).toBeGreaterThan(1);
      expect(new Set(teeth.map(({ fdi }) => fdi)).size).toBe(teeth.length);
      for (const { box, seen } of teeth) {
        expect(box.right).toBeGreaterThan(box.left);
        expect(box.bottom).toBeGreaterThan(box.top);
        expect(box.left >= 0 && box.top >= 0 && box.right <= columns && box.bottom <= rows).toBe(true);
        expect(seen).toBeGreaterThan(0);
      }
    }
  });

  it("tells the turn: of an upright bitewing the upper teeth are above, of one turned once they are on the right", () => {
    const bitewings = films.filter(
      ({ region, teeth }) =>
        region === "bitewing" && teeth.some(({ fdi }) => isUpper(fdi)) && teeth.some(({ fdi }) => !isUpper(fdi)),
    );
    expect(bitewings.length).toBeGreaterThan(1);
    for (const { turned, teeth } of bitewings) {
      const middleOf = (upper: boolean, low: "left" | "top", high: "right" | "bottom"): number => {
        const some = teeth.filter(({ fdi }) => isUpper(fdi) === upper);
        return some.reduce((sum, { box }) => sum + box[low] + box[high], 0) / (2 * some.length);
      };
      const across = middleOf(true, "left", "right") - middleOf(false, "left", "right");
      const down = middleOf(true, "top", "bottom") - middleOf(false, "top", "bottom");
      // Towards the upper teeth: up, right, down, left.
      expect([-down, across, down, -across][turned]).toBeGreaterThan(0);
    }
  });

  it("is developed in another way, and of another mouth, if it is held back", () => {
    const held = createHeldBackIntraoral("test 0");
    expect(held.teeth).not.toEqual(first.teeth);
    expect(createHeldBackIntraoral("test 0").pixels).toEqual(held.pixels);
  });
});
