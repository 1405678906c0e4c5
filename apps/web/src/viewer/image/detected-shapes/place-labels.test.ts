import { expect, it } from "vitest";
import { placeLabels, type ShapeLabel } from "./place-labels.ts";

const viewport = { width: 390, height: 320 };
const label = (id: string, x: number, y: number, more: Partial<ShapeLabel> = {}): ShapeLabel => ({
  id,
  text: `caries tooth ${id}`,
  at: [x, y],
  under: [x, y + 40],
  isFirst: false,
  ...more,
});

it("words of boxes side by side do not lie on each other: one goes below, and what has no room is left to the list", () => {
  const positions = placeLabels([label("16", 60, 100), label("15", 84, 100), label("14", 100, 100)], viewport);
  expect([...positions.keys()]).toEqual(["16", "15"]);
  expect(positions.get("15")![1]).toBeGreaterThan(positions.get("16")![1] + 30);
});

it("the one that is looked at has its word whatever stands there", () => {
  const three = [label("16", 60, 100), label("15", 84, 100), label("14", 100, 100, { isFirst: true })];
  expect([...placeLabels(three, viewport).keys()]).toEqual(["14", "16"]);
});

it("no word leaves the pane", () => {
  const [left, top] = placeLabels([label("18", 2, 3), label("28", 389, 100)], viewport).values();
  expect(left).toEqual([0, 11]);
  expect(top![0]).toBeGreaterThan(280);
});
