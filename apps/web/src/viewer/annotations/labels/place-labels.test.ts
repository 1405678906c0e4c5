import { expect, it } from "vitest";
import { placeLabels, type Label } from "./place-labels.ts";

const viewport = { width: 390, height: 400 };
const region = (x: number, y: number): Label => ({
  at: [x, y],
  rows: ["Mean -165.4 ± 376.2", "Min -1000, max 202", "Area 230.36 mm²"],
});

it("places labels beside their points, and on the other side at the edge of the viewport", () => {
  expect(placeLabels([{ at: [100, 100], rows: ["12.50 mm"] }], viewport)).toEqual([{ x: 110, y: 92, anchor: "start" }]);
  expect(placeLabels([{ at: [360, 100], rows: ["12.50 mm"] }], viewport)).toEqual([{ x: 350, y: 92, anchor: "end" }]);
});

it("keeps labels from overlapping and from being cut off as long as there is space", () => {
  const labels = [
    region(140, 200),
    region(330, 205),
    region(150, 215),
    region(20, 10),
    { at: [145, 205], rows: [""] } as const,
  ];
  const positions = placeLabels(labels, viewport);
  const boxes = positions.slice(0, 4).map(({ x, y, anchor }) => {
    const textWidth = 19 * 7.6;
    return { left: anchor === "start" ? x : x - textWidth, top: y - 12 };
  });
  for (const [at, one] of boxes.entries()) {
    expect([one.left >= 0, one.top >= 0, one.left + 19 * 7.6 <= viewport.width]).toEqual([true, true, true]);
    for (const other of boxes.slice(at + 1))
      expect(Math.abs(one.left - other.left) >= 19 * 7.6 || Math.abs(one.top - other.top) >= 48).toBe(true);
  }
});

it("keeps a label that fits nowhere beside its point", () => {
  const [position] = placeLabels([{ at: [40, 20], rows: ["x".repeat(80)] }], { width: 120, height: 40 });
  expect(position).toEqual({ x: 50, y: 12, anchor: "start" });
});
