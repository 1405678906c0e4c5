import { describe, expect, it } from "vitest";
import { directionLetters } from "../volume/voxel-to-patient.ts";
import {
  fitPlaneView,
  isAlignedWithVoxels,
  viewportToPatient,
  patientToViewport,
  planeNames,
  snapToSlices,
  getSliceStack,
  type PlaneName,
} from "./plane-view.ts";
import {
  getLineAngle,
  crossingPlanes,
  isUnrotated,
  getIntersectionLine,
  alignPlanes,
  defaultPlanes,
  rotatePlanes,
} from "./oblique-planes.ts";
import { cross, distance, dot, type Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";

const volume: VolumeGeometry = {
  columns: 60,
  rows: 50,
  slices: 40,
  spacing: [0.4, 0.4, 0.5],
  origin: [-12, -10, 30],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};
const near = (point: readonly number[], expected: readonly number[]) =>
  point.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 9));
const wild = () =>
  (
    [
      ["axial", 25],
      ["coronal", -40],
      ["sagittal", 12],
      ["axial", -7],
    ] as const
  ).reduce((now, [name, degrees]) => rotatePlanes(now, name, degrees), defaultPlanes);

describe("planes that are turned", () => {
  it("turn the two others clockwise on the screen of the one that is held, which stays as it is", () => {
    const turned = rotatePlanes(defaultPlanes, "axial", 30);
    expect(turned.axial).toEqual(defaultPlanes.axial);
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    // On the axial screen right is the patient's left and down is the back.
    near(turned.coronal.right, [cos, sin, 0]);
    near(turned.coronal.away, [-sin, cos, 0]);
    near(getIntersectionLine(turned, "axial", "coronal"), [cos, sin]);
    near(getIntersectionLine(turned, "axial", "sagittal"), [-sin, cos]);
  });

  it.each(planeNames)("have the angle that was entered in the %s plane, whichever others were rotated", (name) => {
    const others = crossingPlanes[name];
    const turned = [others[0], name, others[1]].reduce(
      (now, other) => rotatePlanes(now, other, other === name ? 33 : -21),
      defaultPlanes,
    );
    for (const each of planeNames) expect(getLineAngle(turned, each)).toBeCloseTo(each === name ? 33 : -21, 9);
  });

  it("stay at right angles and no mirror images after thousands of small turns", () => {
    const turned = Array.from({ length: 3000 }, (_, at) => at).reduce(
      (now, at) => rotatePlanes(now, planeNames[at % 3] ?? "axial", (at % 7) - 2.9),
      defaultPlanes,
    );
    for (const name of planeNames) {
      const { right, down, away } = turned[name];
      near([dot(right, right), dot(down, down), dot(right, down)], [1, 1, 0]);
      near(cross(right, down), away);
    }
    const [a, b, c] = planeNames.map((name) => turned[name].away) as [Vector, Vector, Vector];
    near(
      [dot(a, b), dot(b, c), dot(a, c)].map((value) => Math.round(value * 1e9) / 1e9),
      [0, 0, 0],
    );
  });

  it("return to an annotation's plane, the others with it", () => {
    const { right, down } = wild().coronal;
    const found = alignPlanes(rotatePlanes(defaultPlanes, "axial", 80), "coronal", right, down);
    near(found.coronal.away, wild().coronal.away);
    near([dot(found.axial.away, found.coronal.away), dot(found.axial.away, found.sagittal.away)], [0, 0]);
    expect(isUnrotated(found)).toBe(false);
    // The head is upright on the axial screen, and the lines there are turned as they were.
    const once = rotatePlanes(defaultPlanes, "axial", 10);
    const again = alignPlanes(defaultPlanes, "coronal", once.coronal.right, once.coronal.down);
    near(again.axial.right, [1, 0, 0]);
    expect(getLineAngle(again, "axial")).toBeCloseTo(10, 9);
  });

  it("step along their own normals, and leave a point where it is that no slice goes through", () => {
    const turned = wild();
    const stack = getSliceStack(volume, turned.axial);
    expect(stack.count * stack.step).toBeGreaterThan(19.5);
    expect(isAlignedWithVoxels(volume, turned.axial)).toBe(false);
    const point: Vector = [1.23, 2.34, 41.7];
    near(
      snapToSlices(
        volume,
        planeNames.map((name) => turned[name]),
        point,
      ),
      point,
    );
    // One plane is still aligned with the slices: there the point moves onto the nearest.
    const half = rotatePlanes(defaultPlanes, "axial", 20);
    near(
      snapToSlices(
        volume,
        planeNames.map((name) => half[name]),
        point,
      ),
      [1.23, 2.34, 41.5],
    );
  });

  it("measure the same millimetres through a viewport, straight or oblique", () => {
    const viewport = { width: 500, height: 380 };
    const lengths = [defaultPlanes, wild()].flatMap((planes) =>
      planeNames.map((name) => {
        const view = { ...fitPlaneView(volume, planes[name], viewport), scale: 7 };
        const at = (x: number, y: number) => viewportToPatient(planes[name], view, viewport, [x, y], 5);
        near(patientToViewport(planes[name], view, viewport, at(31, 77)), [31, 77]);
        return distance(at(100, 80), at(240, 185));
      }),
    );
    for (const length of lengths) expect(length).toBeCloseTo(175 / 7, 9);
  });
});

describe("the orientation letters at the edges", () => {
  /** Another way than the product's: which patient directions are nearest, by angles. */
  function lettersBy(direction: Vector): string {
    const named: [string, Vector][] = [
      ["L", [1, 0, 0]],
      ["R", [-1, 0, 0]],
      ["P", [0, 1, 0]],
      ["A", [0, -1, 0]],
      ["H", [0, 0, 1]],
      ["F", [0, 0, -1]],
    ];
    return named
      .map(([letter, axis]) => ({ letter, angle: Math.acos(Math.min(1, dot(direction, axis))) }))
      .filter(({ angle }) => angle < Math.acos(0.2))
      .toSorted((one, other) => one.angle - other.angle)
      .map(({ letter }) => letter)
      .join("");
  }

  it("are right for the 48 ways in which voxels can lie along the patient's axes", () => {
    let tried = 0;
    for (const [i, j, k] of permutations)
      for (const signs of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const axis = (which: number, bit: number): Vector => {
          const sign = signs & bit ? -1 : 1;
          return [which === 0 ? sign : 0, which === 1 ? sign : 0, which === 2 ? sign : 0];
        };
        const [column, row] = [axis(i, 1), axis(j, 2)];
        const letters = ["LR", "PA", "HF"];
        expect(directionLetters(column)).toBe(letters[i]?.[signs & 1 ? 1 : 0]);
        expect(directionLetters(row)).toBe(letters[j]?.[signs & 2 ? 1 : 0]);
        // Planes show the patient, regardless of the orientation of the voxels: the letters belong to the screen.
        const lying = { ...volume, direction: [...column, ...row, ...axis(k, 4)] as VolumeGeometry["direction"] };
        expect(getSliceStack(lying, defaultPlanes.axial).step).toBe(volume.spacing[[i, j, k].indexOf(2) as 0 | 1 | 2]);
        tried++;
      }
    expect(tried).toBe(48);
  });

  it("are right for planes turned at random", () => {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let round = 0; round < 200; round++) {
      let planes = defaultPlanes;
      for (let turn = 0; turn < 3; turn++)
        planes = rotatePlanes(planes, planeNames[Math.floor(random() * 3)] as PlaneName, random() * 360 - 180);
      for (const name of planeNames)
        for (const direction of [planes[name].right, planes[name].down])
          expect(directionLetters(direction)).toBe(lettersBy(direction));
    }
  });
});

const permutations = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
