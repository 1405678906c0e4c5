import { expect, it } from "vitest";
import { placeLabels, type ShapeLabel } from "./place-labels.ts";
import { present } from "@arcada/testing/require-present";

const viewport = { width: 390, height: 320 };
const label = (id: string, x: number, y: number, more: Partial<ShapeLabel> = {}): ShapeLabel => ({
  id,
  text: `caries tooth ${id}`,
  at: [x, y],
  under: [x, y + 40],
  isFirst: false,
  ...more,
});

it("keeps labels of adjacent boxes apart: one moves below, and one without space is left to the list", () => {
  const positions = placeLabels([label("16", 60, 100), label("15", 84, 100), label("14", 100, 100)], viewport);
  expect([...positions.keys()]).toEqual(["16", "15"]);
  expect(positions.get("15")?.[1]).toBeGreaterThan(present(positions.get("16"), "16")[1] + 30);
});

it("always places the label of the selected shape", () => {
  const three = [label("16", 60, 100), label("15", 84, 100), label("14", 100, 100, { isFirst: true })];
  expect([...placeLabels(three, viewport).keys()]).toEqual(["14", "16"]);
});

it("keeps every label within the viewport", () => {
  const [left, top] = placeLabels([label("18", 2, 3), label("28", 389, 100)], viewport).values();
  expect(left).toEqual([0, 11]);
  expect(top[0]).toBeGreaterThan(280);
});
