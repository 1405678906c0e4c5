import { describe, expect, it } from "vitest";
import { colourPresets } from "../browser/appearance.ts";
import { contrastRatio, createShades } from "./colour-shades.ts";

// WCAG 2.2, 1.4.3: text needs 4.5:1.
describe.each(colourPresets)("the theme colour %s", (preset) => {
  const shades = createShades(preset);
  it("carries white text, and can be read on white, on the page and on its own tint", () => {
    for (const ground of ["#ffffff", "#f4f7fa", shades[0]])
      expect(contrastRatio(shades[6], ground), ground).toBeGreaterThanOrEqual(4.5);
  });
  it("can be read on the dark pages in its light shades", () => {
    for (const ground of ["#141c28", "#0e141d", "#1b2533"])
      expect(contrastRatio(shades[4], ground), ground).toBeGreaterThanOrEqual(4.5);
  });
  it("goes from light to dark", () => {
    const onBlack = shades.map((shade) => contrastRatio(shade, "#000000"));
    expect(onBlack).toEqual(onBlack.toSorted((a, b) => b - a));
  });
});
