import { describe, expect, it } from "vitest";
import { sampleProfile, measureRegion, type ValueGrid } from "./grey-value-statistics.ts";
import { present } from "@arcada/testing/require-present";

/** Grey value: 10 for each column, 1 for each row. */
const ramp: ValueGrid = {
  columns: 40,
  rows: 30,
  spacing: { row: 0.5, column: 0.25 },
  value: (column, row) => column * 10 + row,
};

describe("grey values in a region", () => {
  it("are those of the pixels whose middles are inside it, whichever corner was drawn first", () => {
    const found = present(measureRegion(ramp, "rectangle", [6, 4.4], [4, 2.6]));
    // Middles 4.5 and 5.5 across, 3.5 down.
    expect(found).toMatchObject({ count: 2, mean: 48, min: 43, max: 53, deviation: 5 });
    expect(found.area).toEqual({ value: 2 * 0.25 * 1.8000000000000003 * 0.5, unit: "mm2" });
  });

  it("have the mean and the deviation that counting one by one gives, in an ellipse too", () => {
    const [rx, ry] = [12.3, 9.1];
    const [a, b] = [
      [20 - rx, 15 - ry],
      [20 + rx, 15 + ry],
    ] as const;
    const found = present(measureRegion(ramp, "ellipse", a, b));
    const values: number[] = [];
    for (let row = 0; row < ramp.rows; row++)
      for (let column = 0; column < ramp.columns; column++)
        if (((column + 0.5 - 20) / rx) ** 2 + ((row + 0.5 - 15) / ry) ** 2 <= 1) values.push(column * 10 + row);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    expect(found.count).toBe(values.length);
    expect(found.mean).toBeCloseTo(mean, 9);
    expect(found.deviation).toBeCloseTo(deviation, 9);
    expect([found.min, found.max]).toEqual([Math.min(...values), Math.max(...values)]);
    expect(found.area.value).toBeCloseTo(Math.PI * rx * ry * 0.5 * 0.25, 9);
  });

  it("are none outside, and those inside where it reaches beyond the edge", () => {
    expect(measureRegion(ramp, "rectangle", [-9, -9], [-1, -1])).toBeNull();
    expect(measureRegion(ramp, "ellipse", [3, 3], [3, 3])).toBeNull();
    expect(measureRegion(ramp, "rectangle", [-5, -5], [1, 1])).toMatchObject({ count: 1, mean: 0 });
  });
});

describe("a profile", () => {
  it("goes along its line in steps of a pixel, linear between the middles of pixels", () => {
    const { values, length } = sampleProfile(ramp, [2.5, 3.5], [12.5, 3.5]);
    expect(values).toHaveLength(11);
    values.forEach((value, at) => expect(value).toBeCloseTo((2 + at) * 10 + 3, 9));
    expect(length).toEqual({ value: 2.5, unit: "mm" });
    expect(sampleProfile(ramp, [7, 7], [9, 9]).values[0]).toBeCloseTo(65 + 6.5, 9);
  });

  it("has gaps outside the image", () => {
    const { values } = sampleProfile(ramp, [-2, 5], [2, 5]);
    expect(values.slice(0, 2)).toEqual([null, null]);
    expect(values.at(-1)).not.toBeNull();
  });
});
