import { expect, it } from "vitest";
import { orbitCamera, projectToScreen, createViewCamera } from "./model-camera.ts";
import { lpsFrame } from "../geometry/patient-frame.ts";
import {
  projectOntoPlane,
  createMiddlePlane,
  createPlaneThroughLine,
  getOffsetRange,
  rotatePlane,
} from "./section-plane.ts";
import { dot, plus, times, type Vector } from "../geometry/vector.ts";
import { present } from "@arcada/testing/require-present";

const viewport = { width: 400, height: 300 };
const box = { min: [-25, -14, -3], max: [35, 26, 17] } as const;

it("begins in the middle of the models and leaves them at either end", () => {
  expect(createMiddlePlane([0, 1, 0], box)).toEqual({ normal: [0, 1, 0], offset: 6 });
  expect(getOffsetRange([0, 1, 0], box)).toEqual({ least: -14, most: 26 });
});

it("rotates about a point that stays on it", () => {
  const plane = createMiddlePlane([0, 0, 1], box);
  const about: Vector = projectOntoPlane(plane, [30, 2, -100]);
  const { normal, offset } = rotatePlane(plane, about, [0, 1, 0], Math.PI / 6);
  expect(normal[0]).toBeCloseTo(0.5, 9);
  expect(dot(normal, about)).toBeCloseTo(offset, 9);
});

it.each([false, true])("is cut by a line on the screen straight into the depth; perspective: %s", (hasPerspective) => {
  const camera = {
    ...orbitCamera(createViewCamera("left", lpsFrame, box, viewport), [130, -40], viewport),
    hasPerspective,
  };
  const plane = present(createPlaneThroughLine(camera, viewport, [100, 120], [260, 190]));
  // Every place of the plane is seen on that line.
  for (const [across, deep] of [
    [5, 0],
    [-12, 8],
    [20, -30],
  ] as const) {
    const place = projectOntoPlane(
      plane,
      plus(camera.target, plus(times(camera.right, across), times(camera.eye, deep))),
    );
    const [x, y] = projectToScreen(camera, viewport, place);
    expect(y - 120).toBeCloseTo(((x - 100) * 70) / 160, 6);
  }
  expect(createPlaneThroughLine(camera, viewport, [100, 120], [103, 121])).toBeNull();
});
