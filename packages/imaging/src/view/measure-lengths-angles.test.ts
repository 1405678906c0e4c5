import { describe, expect, it } from "vitest";
import { measureAngle, measureLength, measureSpatialAngle } from "./measure-lengths-angles.ts";

describe("measuring in an image", () => {
  const wide = { row: 0.1, column: 0.2 };

  it("gives a length in mm by the spacing of rows and of columns", () => {
    expect(measureLength([10, 10], [40, 50], wide)).toEqual({ value: Math.hypot(30 * 0.2, 40 * 0.1), unit: "mm" });
  });

  it("gives a length in pixels if the image is not calibrated", () => {
    expect(measureLength([0, 0], [3, 4], null)).toEqual({ value: 5, unit: "px" });
  });

  it("measures an angle in true proportions, not in those of the pixels", () => {
    expect(measureAngle([10, 0], [0, 0], [10, 20], wide).value).toBeCloseTo(45, 9);
    expect(measureAngle([10, 0], [0, 0], [10, 20], null).value).toBeCloseTo(63.4349, 3);
  });

  it("knows right angles and straight lines in space", () => {
    expect(measureSpatialAngle([1, 2, 3], [0, 0, 0], [-2, 1, 0]).value).toBeCloseTo(90, 9);
    expect(measureSpatialAngle([1, 1, 1], [0, 0, 0], [-3, -3, -3]).value).toBeCloseTo(180, 4);
    expect(measureSpatialAngle([0, 0, 0], [0, 0, 0], [1, 0, 0]).value).toBe(0);
  });
});
