import { describe, expect, it } from "vitest";
import { blurImage } from "./blur.ts";

describe("a blurred image", () => {
  it("spreads a point as the binomial filter does and loses nothing of it", () => {
    const point = new Uint16Array(21 * 21);
    point[10 * 21 + 10] = 65_535;
    const soft = blurImage(point, 21, 21);
    expect(soft[10 * 21 + 10]).toBe(Math.round((65_535 * 70 * 70) / 65_536));
    expect(soft[11 * 21 + 12]).toBe(Math.round((65_535 * 56 * 28) / 65_536));
    expect(Math.abs(soft.reduce((sum, value) => sum + value, 0) - 65_535)).toBeLessThan(40);
    expect(point[10 * 21 + 10]).toBe(65_535);
  });

  it("leaves uniform areas unchanged, up to the edges, each channel separately", () => {
    expect(new Set(blurImage(new Int16Array(60).fill(-300), 10, 6))).toEqual(new Set([-300]));
    const colours = Uint8ClampedArray.from({ length: 4 * 30 }, (_, at) => [10, 200, 90, 255][at % 4]);
    expect(blurImage(colours, 6, 5, 4)).toEqual(colours);
  });
});
