import { describe, expect, it } from "vitest";
import {
  between,
  facing,
  movedModel,
  orbited,
  sightOf,
  toScreen,
  viewCamera,
  viewNames,
  zoomedModel,
  type ModelCamera,
} from "./model-camera.ts";
import { frontToBack, patientSpace, upsideDown } from "./patient-frame.ts";
import { cross, distance, dot, type Vector } from "./vector.ts";

const pane = { width: 400, height: 300 };
const box = { min: [-25, -14, -3], max: [35, 26, 17] } as const;
const middle = [5, 6, 7] as const;
const near = (point: readonly number[], expected: readonly number[]) =>
  point.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 6));

describe("looking at a model", () => {
  it("has the patient's left on the right of the screen from the front", () => {
    const camera = viewCamera("front", patientSpace, box, pane);
    near(toScreen(camera, pane, middle), [200, 150]);
    expect(toScreen(camera, pane, [15, 6, 7])[0]).toBeGreaterThan(200);
    expect(toScreen(camera, pane, [5, 6, 17])[1]).toBeLessThan(150);
  });

  it("shows the whole box as large as the pane allows", () => {
    const corners = [box.min, box.max].map((corner) =>
      toScreen(viewCamera("front", patientSpace, box, pane), pane, corner),
    );
    // 60 mm across and 20 mm high: the width decides.
    near(corners.flat(), [200 - 0.44 * 400, 150 + (0.44 * 400) / 3, 200 + 0.44 * 400, 150 - (0.44 * 400) / 3]);
  });

  it("looks at an upper jaw from below, the front teeth at the top", () => {
    const camera = viewCamera("upper", patientSpace, box, pane);
    expect(dot(camera.eye, patientSpace.up)).toBe(-1);
    expect(dot(camera.up, patientSpace.back)).toBe(-1);
  });

  it.each(viewNames)("is no mirror image (%s)", (name) => {
    for (const frame of [patientSpace, upsideDown(patientSpace), frontToBack(patientSpace)]) {
      const { right, up, eye } = viewCamera(name, frame, box, pane);
      near(cross(right, up), eye);
    }
  });

  const tilted = (): ModelCamera =>
    orbited(orbited(viewCamera("left", patientSpace, box, pane), [130, -40], pane), [-20, 210], pane);

  it.each([false, true])(
    "finds the point again on the line of sight through its place; perspective: %s",
    (hasPerspective) => {
      const camera = { ...tilted(), hasPerspective };
      const point: Vector = [11, -3, 20];
      const { origin, direction } = sightOf(camera, pane, toScreen(camera, pane, point), 100);
      const along = dot([point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]], direction);
      near(
        [0, 1, 2].map((axis) => origin[axis]! + along * direction[axis]!),
        point,
      );
    },
  );

  it("keeps its directions square and one long after a thousand turns", () => {
    const { right, up, eye } = Array.from({ length: 1000 }, (_, at) => at).reduce(
      (now, at) => orbited(now, [at % 7, 3 - (at % 5)], pane),
      tilted(),
    );
    near([dot(right, up), dot(right, eye), dot(up, eye), dot(right, right), dot(up, up)], [0, 0, 0, 1, 1]);
  });

  it("faces a place from the side that is asked for", () => {
    for (const direction of [
      [0, 0, 3],
      [1, -2, 0.5],
      [0, 0, -1],
    ] as const) {
      const camera = facing(viewCamera("front", patientSpace, box, pane), [4, 5, 6], direction);
      near(toScreen(camera, pane, [4, 5, 6]), [200, 150]);
      near(cross(camera.right, camera.up), camera.eye);
      expect(dot(camera.eye, direction)).toBeCloseTo(Math.hypot(...direction), 9);
    }
  });

  it("follows the hand when moved, and holds the point under it when zoomed", () => {
    const camera = tilted();
    const before = toScreen(camera, pane, [1, 2, 3]);
    near(toScreen(movedModel(camera, [25, -14]), pane, [1, 2, 3]), [before[0] + 25, before[1] - 14]);
    near(toScreen(zoomedModel(camera, pane, before, 3), pane, [1, 2, 3]), before);
  });

  it("draws a length in the plane of the screen as long as its millimetres", () => {
    const camera = tilted();
    const [a, b]: Vector[] = [
      middle,
      [middle[0] + 10 * camera.right[0], middle[1] + 10 * camera.right[1], middle[2] + 10 * camera.right[2]],
    ];
    const [from, to] = [toScreen(camera, pane, a!), toScreen(camera, pane, b!)];
    expect(Math.hypot(to[0] - from[0], to[1] - from[1]) / camera.scale).toBeCloseTo(distance(a!, b!), 9);
  });
});

describe("a camera on its way", () => {
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

  it("begins and ends where it should, and looks upright at the model in between, whichever way round", () => {
    for (const eye of ways) {
      const end = { ...facing(start, [10, 0, 5], eye), scale: 8 };
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        const { right, up, eye: at, scale } = between(start, end, part);
        for (const axis of [right, up, at]) expect(Math.hypot(...axis)).toBeCloseTo(1, 6);
        expect(dot(right, up)).toBeCloseTo(0, 6);
        expect(scale).toBeCloseTo(2 * 4 ** part, 6);
      }
      expect(between(start, end, 0).eye).toEqual(start.eye);
      expect(dot(between(start, end, 1).eye, end.eye)).toBeCloseTo(1, 6);
      expect(between(start, end, 1).target).toEqual([10, 0, 5]);
    }
  });
});
