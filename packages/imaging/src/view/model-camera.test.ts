import { describe, expect, it } from "vitest";
import {
  interpolateCameras,
  aimCamera,
  panCamera,
  orbitCamera,
  castViewRay,
  projectToScreen,
  createViewCamera,
  cameraViewNames,
  zoomCamera,
  type ModelCamera,
} from "./model-camera.ts";
import { rotateFrontToBack, lpsFrame, rotateUpsideDown } from "../geometry/patient-frame.ts";
import { cross, distance, dot, type Vector } from "../geometry/vector.ts";

const viewport = { width: 400, height: 300 };
const box = { min: [-25, -14, -3], max: [35, 26, 17] } as const;
const middle = [5, 6, 7] as const;
const near = (point: readonly number[], expected: readonly number[]) =>
  point.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 6));

describe("the camera of a model", () => {
  it("has the patient's left on the right of the screen from the front", () => {
    const camera = createViewCamera("front", lpsFrame, box, viewport);
    near(projectToScreen(camera, viewport, middle), [200, 150]);
    expect(projectToScreen(camera, viewport, [15, 6, 7])[0]).toBeGreaterThan(200);
    expect(projectToScreen(camera, viewport, [5, 6, 17])[1]).toBeLessThan(150);
  });

  it("shows the whole box as large as the viewport allows", () => {
    const corners = [box.min, box.max].map((corner) =>
      projectToScreen(createViewCamera("front", lpsFrame, box, viewport), viewport, corner),
    );
    // 60 mm across and 20 mm high: the width decides.
    near(corners.flat(), [200 - 0.44 * 400, 150 + (0.44 * 400) / 3, 200 + 0.44 * 400, 150 - (0.44 * 400) / 3]);
  });

  it("shows an upper jaw from below, the front teeth at the top", () => {
    const camera = createViewCamera("upper", lpsFrame, box, viewport);
    expect(dot(camera.eye, lpsFrame.up)).toBe(-1);
    expect(dot(camera.up, lpsFrame.back)).toBe(-1);
  });

  it.each(cameraViewNames)("is no mirror image (%s)", (name) => {
    for (const frame of [lpsFrame, rotateUpsideDown(lpsFrame), rotateFrontToBack(lpsFrame)]) {
      const { right, up, eye } = createViewCamera(name, frame, box, viewport);
      near(cross(right, up), eye);
    }
  });

  const tilted = (): ModelCamera =>
    orbitCamera(
      orbitCamera(createViewCamera("left", lpsFrame, box, viewport), [130, -40], viewport),
      [-20, 210],
      viewport,
    );

  it.each([false, true])(
    "finds the point again on the line of sight through its place; perspective: %s",
    (hasPerspective) => {
      const camera = { ...tilted(), hasPerspective };
      const point: Vector = [11, -3, 20];
      const { origin, direction } = castViewRay(camera, viewport, projectToScreen(camera, viewport, point), 100);
      const along = dot([point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]], direction);
      near(
        [0, 1, 2].map((axis) => origin[axis] + along * direction[axis]),
        point,
      );
    },
  );

  it("keeps its directions square and one long after a thousand turns", () => {
    const { right, up, eye } = Array.from({ length: 1000 }, (_, at) => at).reduce(
      (now, at) => orbitCamera(now, [at % 7, 3 - (at % 5)], viewport),
      tilted(),
    );
    near([dot(right, up), dot(right, eye), dot(up, eye), dot(right, right), dot(up, up)], [0, 0, 0, 1, 1]);
  });

  it("faces a point from the requested side", () => {
    for (const direction of [
      [0, 0, 3],
      [1, -2, 0.5],
      [0, 0, -1],
    ] as const) {
      const camera = aimCamera(createViewCamera("front", lpsFrame, box, viewport), [4, 5, 6], direction);
      near(projectToScreen(camera, viewport, [4, 5, 6]), [200, 150]);
      near(cross(camera.right, camera.up), camera.eye);
      expect(dot(camera.eye, direction)).toBeCloseTo(Math.hypot(...direction), 9);
    }
  });

  it("follows the pointer when moved, and keeps the point under it when zoomed", () => {
    const camera = tilted();
    const before = projectToScreen(camera, viewport, [1, 2, 3]);
    near(projectToScreen(panCamera(camera, [25, -14]), viewport, [1, 2, 3]), [before[0] + 25, before[1] - 14]);
    near(projectToScreen(zoomCamera(camera, viewport, before, 3), viewport, [1, 2, 3]), before);
  });

  it("draws a length in the plane of the screen as long as its millimetres", () => {
    const camera = tilted();
    const [a, b]: Vector[] = [
      middle,
      [middle[0] + 10 * camera.right[0], middle[1] + 10 * camera.right[1], middle[2] + 10 * camera.right[2]],
    ];
    const [from, to] = [projectToScreen(camera, viewport, a), projectToScreen(camera, viewport, b)];
    expect(Math.hypot(to[0] - from[0], to[1] - from[1]) / camera.scale).toBeCloseTo(distance(a, b), 9);
  });
});

describe("a camera transition", () => {
  const start: ModelCamera = {
    right: [1, 0, 0],
    up: [0, 0, 1],
    eye: [0, -1, 0],
    target: [0, 0, 0],
    scale: 2,
    hasPerspective: false,
  };
  const ways: Vector[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, -1, 0],
  ];

  it("begins and ends at the given cameras, and stays upright in between, in every direction", () => {
    for (const eye of ways) {
      const end = { ...aimCamera(start, [10, 0, 5], eye), scale: 8 };
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        const { right, up, eye: at, scale } = interpolateCameras(start, end, part);
        for (const axis of [right, up, at]) expect(Math.hypot(...axis)).toBeCloseTo(1, 6);
        expect(dot(right, up)).toBeCloseTo(0, 6);
        expect(scale).toBeCloseTo(2 * 4 ** part, 6);
      }
      expect(interpolateCameras(start, end, 0).eye).toEqual(start.eye);
      expect(dot(interpolateCameras(start, end, 1).eye, end.eye)).toBeCloseTo(1, 6);
      expect(interpolateCameras(start, end, 1).target).toEqual([10, 0, 5]);
    }
  });
});
