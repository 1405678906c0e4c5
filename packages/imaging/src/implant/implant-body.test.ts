import { describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { distance, plus, times, type Vector } from "../geometry/vector.ts";
import {
  cutBody,
  measureDistanceToBody,
  computeConvexHull,
  type ImplantBody,
  type NerveCanal,
} from "./implant-body.ts";
import { measureImplantClearance, measureCanalClearance } from "./clearance.ts";
import { createSmoothLine, getDirection } from "../arch/smooth-line.ts";

const canalGap = (body: ImplantBody, canal: NerveCanal): number => measureCanalClearance(body, canal).mm;
const bodyGap = (one: ImplantBody, other: ImplantBody): number => measureImplantClearance(one, other).mm;
const upright = (x: number, z: number, length = 10, radius = 2): ImplantBody => ({
  head: [x, 0, z],
  apex: [x, 0, z - length],
  shoulder: radius,
  tip: radius,
});

describe("the distance to a canal", () => {
  it("is exact for a straight canal under an upright implant", () => {
    const canal = {
      line: createSmoothLine(
        [
          [-30, 0, -13.5],
          [0, 0, -13.5],
          [30, 0, -13.5],
        ],
        0.25,
      ),
      radius: 1.5,
    };
    expect(canalGap(upright(0, 0), canal)).toBeCloseTo(2, 2);
    expect(canalGap(upright(0, -1), canal)).toBeCloseTo(1, 2);
    expect(canalGap(upright(0, -4), canal)).toBeLessThan(0);
  });

  it("matches a head of known anatomy within 0.1 mm", () => {
    const head = makeHead("canal");
    for (const side of ["right", "left"] as const) {
      const points = head.canals[side];
      // Drawn manually: a point every three millimetres.
      const canal = {
        line: createSmoothLine(
          points.filter((_, at) => at % 3 === 0 || at === points.length - 1),
          0.25,
        ),
        radius: 1.3,
      };
      for (const at of [22, 30, 38]) {
        const way = getDirection(points[at - 1], points[at + 1]);
        const across = getDirection([0, 0, 0], [way[1], -way[0], 0]);
        const apex = plus(points[at], [0, 0, 5]);
        const body: ImplantBody = { head: plus(apex, [0, 0, 10]), apex, shoulder: 2, tip: 2 };
        const truth = Math.min(...dense(points).map((point) => measureDistanceToBody(body, point))) - 1.3;
        expect(Math.abs(canalGap(body, canal) - truth)).toBeLessThan(0.1);
        const beside = { ...body, head: plus(points[at], times(across, 5)), apex: plus(points[at], times(across, 12)) };
        expect(Math.abs(canalGap(beside, canal) - (5 - 1.3))).toBeLessThan(0.12);
      }
    }
  });
});

describe("the distance between two implants", () => {
  it("is that of their surfaces, side by side, crossed and as cones", () => {
    expect(bodyGap(upright(0, 0), upright(7, 0))).toBeCloseTo(3, 1);
    expect(bodyGap(upright(0, 0), upright(7, -12))).toBeCloseTo(Math.hypot(3, 2), 1);
    const cone: ImplantBody = { ...upright(7, 0), tip: 1 };
    expect(bodyGap(upright(0, 0), cone)).toBeCloseTo(3, 1);
    const lying: ImplantBody = { head: [-5, 6, -5], apex: [5, 6, -5], shoulder: 1, tip: 1 };
    expect(bodyGap(upright(0, 0), lying)).toBeCloseTo(3, 1);
    expect(bodyGap(upright(0, 0), upright(3, 0))).toBe(0);
  });
});

describe("the outline of an implant", () => {
  it("is a rectangle along its axis, an ellipse across, and empty outside it", () => {
    const body = upright(0, 0);
    const flat = ([x, , z]: Vector) => [x, z] as const;
    const along = computeConvexHull(cutBody(body, [0, 0, 0], [0, 1, 0]).map(flat));
    expect(Math.max(...along.map(([x]) => x))).toBeCloseTo(2, 1);
    expect(Math.min(...along.map(([, z]) => z))).toBeCloseTo(-10, 6);
    const across = cutBody(body, [0, 0, -4], [0, 0, 1]);
    for (const point of across) expect(distance(point, [0, 0, -4])).toBeCloseTo(2, 1);
    expect(cutBody(body, [0, 3, 0], [0, 1, 0])).toEqual([]);
    expect(
      computeConvexHull([
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 0.5],
      ]),
    ).toHaveLength(4);
  });
});

/** A line through all points, as fine as the eye can see. */
const dense = (points: readonly Vector[]): readonly Vector[] => createSmoothLine(points, 0.05).points;
