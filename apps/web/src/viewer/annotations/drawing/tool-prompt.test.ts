import { expect, it } from "vitest";
import type { Translate } from "../../../i18n/texts.ts";
import { describeStep } from "./tool-prompt.tsx";

const t: Translate = (key, values) => (values ? Object.values(values).join(" > ") : key);

it("asks for each point of an angle in its turn", () => {
  expect([0, 1, 2].map((set) => describeStep(t, "angle", set))).toEqual([
    "viewer.tool.angle > viewer.about.angle",
    "viewer.tool.angle > viewer.step.corner",
    "viewer.tool.angle > viewer.step.otherEnd",
  ]);
});

it("repeats the last prompt of a tool with an open number of points", () => {
  expect(describeStep(t, "path", 9)).toBe("viewer.tool.path > viewer.step.next");
});

it("says of a tool with a single point where to click", () => {
  expect(describeStep(t, "tooth", 0)).toBe("viewer.tool.tooth > viewer.about.tooth");
});
