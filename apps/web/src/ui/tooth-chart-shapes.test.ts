import { expect, it } from "vitest";
import { neighbourOf, rowsOfSet, setFor, spanOf, toothSets, toothShapes } from "./tooth-chart-shapes.ts";

it("draws every tooth of each set once, its number apart from all others", () => {
  for (const set of toothSets) {
    const shapes = [...toothShapes[set].values()];
    expect(shapes.map(({ tooth }) => tooth)).toEqual(rowsOfSet[set].flat());
    for (const one of shapes)
      for (const other of shapes)
        if (one !== other)
          expect(
            Math.hypot(one.labelX - other.labelX, one.labelY - other.labelY),
            `${set} ${one.tooth}`,
          ).toBeGreaterThan(11);
  }
});

it("shows milk teeth where one of them is marked, and the others with them where both are", () => {
  expect([setFor([]), setFor([36]), setFor([75]), setFor([36, 75])]).toEqual([
    "permanent",
    "permanent",
    "deciduous",
    "mixed",
  ]);
});

it("leads by arrow keys through the rows that are shown, and spans no bridge across rows", () => {
  expect([
    neighbourOf(11, "ArrowRight", rowsOfSet.permanent),
    neighbourOf(28, "ArrowRight", rowsOfSet.permanent),
  ]).toEqual([21, undefined]);
  expect(neighbourOf(16, "ArrowDown", rowsOfSet.permanent)).toBe(46);
  expect(neighbourOf(18, "ArrowDown", rowsOfSet.mixed)).toBe(55);
  expect(neighbourOf(84, "ArrowDown", rowsOfSet.mixed)).toBe(44);
  expect(spanOf(75, 73)).toEqual([73, 74, 75]);
  expect([spanOf(11, 51), spanOf(18, 48)]).toEqual([[], []]);
});
