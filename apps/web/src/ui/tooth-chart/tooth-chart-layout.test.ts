import { expect, it } from "vitest";
import {
  findNeighbour,
  rowsBySet,
  findToothSet,
  findTeethBetween,
  toothSets,
  toothShapes,
} from "./tooth-chart-layout.ts";

it("draws every tooth of each set once, its number apart from all others", () => {
  for (const set of toothSets) {
    const shapes = [...toothShapes[set].values()];
    expect(shapes.map(({ tooth }) => tooth)).toEqual(rowsBySet[set].flat());
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
  expect([findToothSet([]), findToothSet([36]), findToothSet([75]), findToothSet([36, 75])]).toEqual([
    "permanent",
    "permanent",
    "deciduous",
    "mixed",
  ]);
});

it("leads by arrow keys through the rows that are shown, and spans no bridge across rows", () => {
  expect([
    findNeighbour(11, "ArrowRight", rowsBySet.permanent),
    findNeighbour(28, "ArrowRight", rowsBySet.permanent),
  ]).toEqual([21, undefined]);
  expect(findNeighbour(16, "ArrowDown", rowsBySet.permanent)).toBe(46);
  expect(findNeighbour(18, "ArrowDown", rowsBySet.mixed)).toBe(55);
  expect(findNeighbour(84, "ArrowDown", rowsBySet.mixed)).toBe(44);
  expect(findTeethBetween(75, 73)).toEqual([73, 74, 75]);
  expect([findTeethBetween(11, 51), findTeethBetween(18, 48)]).toEqual([[], []]);
});
