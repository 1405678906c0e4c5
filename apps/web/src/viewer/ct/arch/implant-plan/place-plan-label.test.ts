import { expect, it } from "vitest";
import { placePlanLabel } from "./place-plan-label.ts";

const implant = { left: 50, right: 70, top: 100, bottom: 140 };
const texts = ["1 ⚠ 已进入神经管", "1 ⚠"];

it("a label is at the right of its object, or at the left at the edge of the viewport", () => {
  const wide = { width: 400, height: 300 };
  expect(placePlanLabel(implant, texts, wide)).toEqual({ text: texts[0], x: 76, y: 120, anchor: "start" });
  const atEdge = { ...implant, left: 360, right: 380 };
  expect(placePlanLabel(atEdge, texts, wide)).toEqual({ text: texts[0], x: 354, y: 120, anchor: "end" });
});

it("in a narrow cross-section a warning is below its object and not cut off", () => {
  const label = placePlanLabel(implant, texts, { width: 130, height: 300 });
  expect(label).toMatchObject({ text: texts[0], y: 160, anchor: "start" });
  expect(label.x).toBeGreaterThan(0);
  expect(placePlanLabel(implant, texts, { width: 130, height: 150 }).y).toBeLessThan(implant.top);
});

it("a warning that is wider than its viewport is replaced by the sign", () => {
  expect(placePlanLabel(implant, ["1 ⚠ 超出骨质 12%：颊侧、舌侧、根尖", "1 ⚠"], { width: 130, height: 300 }).text).toBe(
    "1 ⚠",
  );
});

it("the label of an object outside the viewport stays there", () => {
  const outside = { ...implant, left: 200, right: 220 };
  expect(placePlanLabel(outside, texts, { width: 130, height: 300 }).x).toBe(226);
});
