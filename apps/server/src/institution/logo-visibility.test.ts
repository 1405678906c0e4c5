import { describe, expect, it } from "vitest";
import { checkLogoVisibility } from "./logo-visibility.ts";
import type { Pixels } from "./logo-visibility.ts";

type Colour = [number, number, number, number];
const nothing: Colour = [0, 0, 0, 0];
const white: Colour = [255, 255, 255, 255];
const blue: Colour = [20, 60, 160, 255];
const cream: Colour = [220, 215, 205, 255];

/** A rectangle of colour `mark` over the middle third of a ground. */
function drawn(ground: Colour, mark: Colour, [width, height] = [306, 102]): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let place = 0; place < width * height; place++) {
    const x = place % width;
    data.set(x > width / 3 && x < (2 * width) / 3 ? mark : ground, place * 4);
  }
  return { width, height, data };
}

describe("a logo for the dark cover", () => {
  it("is accepted if it is white on a transparent ground", () =>
    expect(checkLogoVisibility("cover", drawn(nothing, white))).toEqual({ refusal: null, advice: [] }));
  it("is refused if it is coloured, dark or empty", () => {
    for (const mark of [blue, [0, 0, 0, 255] as Colour, nothing])
      expect(checkLogoVisibility("cover", drawn(nothing, mark)).refusal).toBe("logoNotWhite");
  });
  it("is accepted with advice if it is a white box or has some colour", () => {
    expect(checkLogoVisibility("cover", drawn(white, white))).toEqual({ refusal: null, advice: ["notTransparent"] });
    expect(checkLogoVisibility("cover", drawn(white, blue)).advice).toContain("partlyWhite");
  });
});

describe("a logo for the white inside pages", () => {
  it("is accepted in colour, on a transparent ground as on white", () => {
    expect(checkLogoVisibility("inside", drawn(nothing, blue))).toEqual({ refusal: null, advice: [] });
    expect(checkLogoVisibility("inside", drawn(white, blue))).toEqual({ refusal: null, advice: [] });
  });
  it("is refused if nothing of it would be visible", () => {
    for (const ground of [nothing, white])
      expect(checkLogoVisibility("inside", drawn(ground, white)).refusal).toBe("logoWhite");
    expect(checkLogoVisibility("inside", drawn(nothing, nothing)).refusal).toBe("logoWhite");
  });
  it("is accepted with advice if it is pale", () =>
    expect(checkLogoVisibility("inside", drawn(nothing, cream)).advice).toEqual(["pale"]));
});

it("the advice names a logo that is small or of another shape than its position", () => {
  expect(checkLogoVisibility("inside", drawn(nothing, blue, [102, 34])).advice).toEqual([]);
  expect(checkLogoVisibility("inside", drawn(nothing, blue, [99, 33])).advice).toEqual(["small"]);
  expect(checkLogoVisibility("inside", drawn(nothing, blue, [400, 400])).advice).toEqual(["shape"]);
});
