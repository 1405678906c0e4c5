import type { Annotation } from "@arcada/contract/study/annotation";
import { expect, it } from "vitest";
import { withColour, annotationColourOf } from "./annotation-colour.ts";

const annotation = (id: string): Annotation => ({
  id,
  tool: "length",
  instanceId: null,
  points: [
    [0, 0],
    [9, 9],
  ],
  plane: null,
  text: null,
});

it("an annotation stores its colour beside other settings, and nothing for the default colour", () => {
  const calibrated = { ...annotation("a"), settings: { mm: 10 } };
  const red = withColour(calibrated, "red");
  expect([red.settings, annotationColourOf(red)]).toEqual([{ mm: 10, colour: "red" }, "red"]);
  expect([withColour(red, "yellow").settings, annotationColourOf(annotation("a"))]).toEqual([{ mm: 10 }, "yellow"]);
  expect(annotationColourOf({ settings: { colour: "no colour" } })).toBe("yellow");
});
