import { describe, expect, it } from "vitest";
import {
  applyAffine,
  getViewRotation,
  magnifyMatrix,
  fitView,
  flipView,
  invertAffine,
  mirrorView,
  panView,
  setViewRotation,
  rotateView,
  computeViewMatrix,
  zoomViewAt,
  zoomToRectangle,
  type ImageView,
} from "./image-view.ts";

const shape = { columns: 200, rows: 100, spacing: { row: 0.2, column: 0.1 } };
const viewport = { width: 400, height: 300 };
const start: ImageView = { zoom: 1, centre: [100, 50], turns: 0, mirrored: false };
const near = (point: readonly number[], expected: readonly number[]) =>
  point.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 6));
const shown = (view: ImageView, point: readonly [number, number]) =>
  applyAffine(computeViewMatrix(view, shape, viewport), point);

describe("an image on the screen", () => {
  it("is drawn in its true proportions where rows lie further apart than columns", () => {
    const view = fitView(start, shape, viewport);
    near(shown(view, [0, 0]), [50, 0]);
    near(shown(view, [200, 100]), [350, 300]);
  });

  it("fits when it is turned by a quarter", () => {
    const tall = { columns: 100, rows: 400, spacing: null };
    const view = fitView(rotateView(start, 1), tall, viewport);
    expect(view.zoom).toBe(1);
    // Clockwise: the first row comes to the right side.
    near(applyAffine(computeViewMatrix(view, tall, viewport), [0, 0]), [400, 100]);
  });

  it("keeps what lies under the pointer when it is zoomed, turned and mirrored as it is", () => {
    const view = mirrorView(rotateView({ ...start, zoom: 1.7, centre: [90, 20] }, -1));
    const at = [120, 33] as const;
    const point = applyAffine(invertAffine(computeViewMatrix(view, shape, viewport)), at);
    near(shown(zoomViewAt(view, shape, viewport, at, 2.5), point), at);
  });

  it("follows the pointer when it is moved", () => {
    const view = rotateView({ ...start, zoom: 3 }, 1);
    const before = shown(view, [10, 20]);
    near(shown(panView(view, shape, viewport, [15, -7]), [10, 20]), [before[0] + 15, before[1] - 7]);
  });

  it("swaps the screen's left and right when mirrored, however it is turned", () => {
    const view = rotateView(start, 1);
    const before = shown(view, [30, 40]);
    near(shown(mirrorView(view), [30, 40]), [viewport.width - before[0], before[1]]);
  });

  it("is as before after four turns and two mirrorings", () => {
    expect([1, 1, 1, 1].reduce((view) => rotateView(view, 1), mirrorView(mirrorView(start)))).toEqual(start);
  });

  it("turns by any angle, clockwise, and fits then with its corners", () => {
    const square = { columns: 100, rows: 100, spacing: null };
    const view = fitView(setViewRotation(start, 45), square, { width: 400, height: 400 });
    expect(view.zoom).toBeCloseTo(4 / Math.SQRT2, 9);
    near(applyAffine(computeViewMatrix(view, square, { width: 400, height: 400 }), [0, 0]), [200, 0]);
    expect(getViewRotation(setViewRotation(start, -30))).toBeCloseTo(-30, 9);
    expect(getViewRotation(rotateView(setViewRotation(start, 100), 1))).toBeCloseTo(-170, 9);
  });

  it("swaps the screen's top and bottom when flipped, its left and right when mirrored, also when it is tilted", () => {
    const view = setViewRotation({ ...start, zoom: 2 }, 20);
    const before = shown(view, [30, 40]);
    near(shown(flipView(view), [30, 40]), [before[0], viewport.height - before[1]]);
    near(shown(mirrorView(view), [30, 40]), [viewport.width - before[0], before[1]]);
  });

  it("fits to the width, to a part of the image, or to a rectangle of the screen", () => {
    expect(fitView(start, shape, viewport, undefined, "width").zoom).toBe(2);
    const part = fitView(start, shape, viewport, { left: 50, top: 0, right: 150, bottom: 50 });
    near(shown(part, [50, 0]), [50, 0]);
    near(shown(part, [150, 50]), [350, 300]);
    const box = zoomToRectangle({ ...start, zoom: 2 }, shape, viewport, [100, 150], [200, 225]);
    expect(box.zoom).toBe(8);
    near(
      shown(box, applyAffine(invertAffine(computeViewMatrix({ ...start, zoom: 2 }, shape, viewport)), [150, 187.5])),
      [200, 150],
    );
  });

  it("is seen in a magnifier around the place that it shows", () => {
    const matrix = computeViewMatrix(start, shape, viewport);
    const lens = magnifyMatrix(matrix, [120, 80], [120, 20], 4);
    const point = applyAffine(invertAffine(matrix), [121, 82]);
    near(applyAffine(lens, point), [124, 28]);
  });
});
