import { describe, expect, it } from "vitest";
import { followLinkedView, toLinkedView } from "./linked-view.ts";
import { applyAffine, fitView, computeViewMatrix, zoomViewAt, type ImageShape, type ImageView } from "./image-view.ts";
import { present } from "@arcada/testing/require-present";

const viewport = { width: 600, height: 400 };
const upright: ImageView = { zoom: 1, centre: [0, 0], turns: 0, mirrored: false };
const one: ImageShape = { columns: 2000, rows: 1000, spacing: { row: 0.1, column: 0.1 } };
const other: ImageShape = { columns: 800, rows: 600, spacing: { row: 0.2, column: 0.25 } };
const seen = zoomViewAt(fitView(upright, one, viewport), one, viewport, [150, 90], 3);

describe("two images that are moved together", () => {
  it("show the same part of themselves", () => {
    const followed = followLinkedView(toLinkedView(seen, one, viewport, "part"), upright, other, viewport, "part");
    const part = (view: ImageView, { columns, rows }: ImageShape) => [view.centre[0] / columns, view.centre[1] / rows];
    expect(part(followed, other)[0]).toBeCloseTo(part(seen, one)[0], 9);
    expect(part(followed, other)[1]).toBeCloseTo(part(seen, one)[1], 9);
    expect(followed.zoom / fitView(upright, other, viewport).zoom).toBeCloseTo(3, 9);
  });

  it("show ten millimetres equally long where they are linked by mm, also where pixels are not square", () => {
    const followed = followLinkedView(toLinkedView(seen, one, viewport, "mm"), upright, other, viewport, "mm");
    const long = (view: ImageView, shape: ImageShape, axis: "row" | "column") => {
      const pixels = 10 / present(shape.spacing, "spacing")[axis];
      const [a, b] = [[0, 0] as const, axis === "column" ? ([pixels, 0] as const) : ([0, pixels] as const)].map((at) =>
        applyAffine(computeViewMatrix(view, shape, viewport), at),
      );
      return Math.hypot(b[0] - a[0], b[1] - a[1]);
    };
    for (const axis of ["row", "column"] as const)
      expect(long(followed, other, axis)).toBeCloseTo(long(seen, one, axis), 6);
  });

  it("come back to where they were", () => {
    for (const by of ["part", "mm"] as const)
      expect(followLinkedView(toLinkedView(seen, one, viewport, by), seen, one, viewport, by).centre[0]).toBeCloseTo(
        seen.centre[0],
        9,
      );
  });
});
