import { describe, expect, it } from "vitest";
import { pickLabels } from "./chart-scales.ts";
import { findMaximum, stackBars } from "./chart-series.ts";
import type { Series } from "./chart-series.ts";

const series = (key: string, kind: Series["kind"], values: (number | null)[]): Series => ({
  key,
  name: key,
  kind,
  role: "main",
  values,
  format: String,
});

describe("the geometry of a chart", () => {
  it("stacks the bars of a column and leaves out empty ones", () => {
    const stacked = stackBars([series("a", "bar", [2, 0]), series("b", "bar", [3, 4])], 2);
    expect(stacked.map(({ series: { key }, column, from, to }) => [key, column, from, to])).toEqual([
      ["a", 0, 0, 2],
      ["b", 0, 2, 5],
      ["b", 1, 0, 4],
    ]);
  });

  it("is as high as the highest stack or point", () => {
    const bars = [series("a", "bar", [2, 1]), series("b", "bar", [3, 4])];
    expect(findMaximum(bars, 2)).toBe(5);
    expect(findMaximum([...bars, series("c", "line", [null, 9])], 2)).toBe(9);
    expect(findMaximum([series("c", "line", [null])], 1)).toBe(0);
  });

  it("writes as many labels as there is room for, and always the last", () => {
    expect(pickLabels(13, 1000, 50)).toHaveLength(13);
    expect(pickLabels(13, 300, 60)).toEqual([0, 3, 6, 9, 12]);
    expect(pickLabels(0, 300, 60)).toEqual([]);
  });
});
