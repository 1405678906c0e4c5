import { expect, it } from "vitest";
import { placedLabels, type Label } from "./label-places.ts";

const pane = { width: 390, height: 320 };
const label = (id: string, x: number, y: number, more: Partial<Label> = {}): Label => ({
  id,
  text: `caries tooth ${id}`,
  at: [x, y],
  under: [x, y + 40],
  isFirst: false,
  ...more,
});

it("words of boxes side by side do not lie on each other: one goes below, and what has no room is left to the list", () => {
  const places = placedLabels([label("16", 60, 100), label("15", 84, 100), label("14", 100, 100)], pane);
  expect([...places.keys()]).toEqual(["16", "15"]);
  expect(places.get("15")![1]).toBeGreaterThan(places.get("16")![1] + 30);
});

it("the one that is looked at has its word whatever stands there", () => {
  const three = [label("16", 60, 100), label("15", 84, 100), label("14", 100, 100, { isFirst: true })];
  expect([...placedLabels(three, pane).keys()]).toEqual(["14", "16"]);
});

it("no word leaves the pane", () => {
  const [left, top] = placedLabels([label("18", 2, 3), label("28", 389, 100)], pane).values();
  expect(left).toEqual([0, 11]);
  expect(top![0]).toBeGreaterThan(280);
});
