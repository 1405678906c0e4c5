import { describe, expect, it } from "vitest";
import { presets } from "./look.ts";
import { contrast, shadesOf } from "./shades.ts";

// WCAG 2.2, 1.4.3: text needs 4.5:1.
describe.each(presets)("the theme colour %s", (preset) => {
  const shades = shadesOf(preset);
  it("carries white text, and can be read on white, on the page and on its own tint", () => {
    for (const ground of ["#ffffff", "#f4f7fa", shades[0]!])
      expect(contrast(shades[6]!, ground), ground).toBeGreaterThanOrEqual(4.5);
  });
  it("can be read on the dark pages in its light shades", () => {
    for (const ground of ["#141c28", "#0e141d", "#1b2533"])
      expect(contrast(shades[4]!, ground), ground).toBeGreaterThanOrEqual(4.5);
  });
  it("goes from light to dark", () => {
    const onBlack = shades.map((shade) => contrast(shade, "#000000"));
    expect(onBlack).toEqual(onBlack.toSorted((a, b) => b - a));
  });
});
