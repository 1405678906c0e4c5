import { describe, expect, it } from "vitest";
import { findImportCircles, measureStructure } from "../../scripts/measure-source-structure.ts";

describe("the structure of the source", () => {
  it.each(measureStructure().map((measure) => [measure.title, measure] as const))(
    "has no more %s than it has reached",
    (_, { value, limit }) => {
      expect(value).toBeLessThanOrEqual(limit);
    },
  );

  it("has its circles of imports found", () => {
    const importsOf = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a"]],
      ["d", ["a", "d"]],
    ]);
    expect(findImportCircles(importsOf).map((circle) => circle.toSorted())).toEqual([["a", "b", "c"]]);
  });
});
