import { describe, expect, it } from "vitest";
import type { Ruler } from "./annotation-kind-types.ts";
import { annotationKindOf } from "./annotation-kind-registry.ts";

const mm = (value: number) => ({ value, unit: "mm" as const });
const ruler: Ruler = {
  length: () => mm(12),
  angle: () => mm(0),
  lineAngle: () => mm(0),
  region: () => ({ mean: 1, deviation: 0, min: 1, max: 1, area: mm(4) }) as never,
};
const key = (name: string) => name;

describe("the label of an annotation", () => {
  it("states half resolution for measurements of grey values, and only then", () => {
    const drawn = {
      points: [
        [0, 0],
        [9, 9],
      ],
      text: null,
    };
    for (const tool of ["ellipse", "rectangle", "profile"] as const) {
      expect(
        annotationKindOf(tool)
          .label(key, drawn, { ...ruler, isHalfResolution: true })
          .split("\n"),
      ).toContain("viewer.region.half");
      expect(annotationKindOf(tool).label(key, drawn, ruler)).not.toContain("half");
    }
    expect(annotationKindOf("length").label(key, drawn, { ...ruler, isHalfResolution: true })).not.toContain("half");
  });

  it("names a tooth in the reader's notation, and keeps text that names no tooth", () => {
    const formatTooth = (text: string, teeth?: "palmer" | "universal") =>
      annotationKindOf("tooth").label(key, { points: [[0, 0]], text }, { ...ruler, ...(teeth && { teeth }) });
    expect([
      formatTooth("36"),
      formatTooth("36", "palmer"),
      formatTooth("36", "universal"),
      formatTooth("75", "universal"),
    ]).toEqual(["36", "⎾6", "19", "K"]);
    expect(formatTooth("implant", "universal")).toBe("implant");
  });
});
