import { describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { patientToViewport, viewportToPatient } from "../view/plane-view.ts";
import { distance, dot, minus, plus, times, type Vector } from "../geometry/vector.ts";
import {
  createCurvedSurface,
  sampleCurvedSurface,
  patientToCurvedSurface,
  measureCurvedLength,
  curvedSurfaceToPatient,
} from "./curved-surface.ts";
import { createCrossSection, countCrossSections, findCrossSectionNumber } from "./cross-section.ts";
import { present } from "@arcada/testing/require-present";

const radius = 24;
/** A half circle around the tongue, from the right over the front to the left. */
const onCircle = (degrees: number, out = 0, height = 0): Vector => {
  const angle = (degrees * Math.PI) / 180;
  return [-(radius + out) * Math.cos(angle), -(radius + out) * Math.sin(angle), height];
};
const controls = Array.from({ length: 19 }, (_, at) => onCircle(at * 10, 0, 5));

describe("the curved surface of a panorama", () => {
  it("gives a length along the arch and a height as they are in the patient, within 0.1 mm", () => {
    const path = present(createCurvedSurface(controls));
    expect(path.length).toBeCloseTo(Math.PI * radius, 1);
    const [from, to] = [onCircle(40, 0, -10), onCircle(115, 0, 12)];
    const along = (75 / 180) * Math.PI * radius;
    expect(Math.abs(measureCurvedLength(path, from, to) - Math.hypot(along, 22))).toBeLessThan(0.1);
    expect(measureCurvedLength(path, onCircle(70, 0, -10), onCircle(70, 0, 12))).toBeCloseTo(22, 2);
  });

  it("keeps its lengths true where it is moved to the cheeks", () => {
    const moved = present(createCurvedSurface(controls, undefined, 4));
    const along = (75 / 180) * Math.PI * (radius + 4);
    expect(Math.abs(measureCurvedLength(moved, onCircle(40, 4), onCircle(115, 4)) - along)).toBeLessThan(0.1);
  });

  it("measures the true length along the arch between the necks of teeth", () => {
    const head = makeHead("wall");
    for (const jaw of ["upper", "lower"] as const) {
      const path = createCurvedSurface(head.arch[jaw].filter((_, at) => at % 12 === 0))!;
      const teeth = head.teeth.filter((tooth) => tooth.jaw === jaw && tooth.fdi % 10 < 8);
      for (const [at, tooth] of teeth.entries()) {
        const other = teeth[(at + 5) % teeth.length];
        const along = Math.abs(
          patientToCurvedSurface(path, tooth.neck).along - patientToCurvedSurface(path, other.neck).along,
        );
        expect(Math.abs(along - Math.abs(tooth.place - other.place)), `${tooth.fdi} ${other.fdi}`).toBeLessThan(0.1);
      }
    }
  });

  it("finds the nearest of all its points, from the tongue as from the cheeks and beyond its ends", () => {
    const path = present(createCurvedSurface(makeHead("nearest").arch.lower.filter((_, at) => at % 12 === 0)));
    for (let turn = 0; turn < 2000; turn++) {
      const at: Vector = [60 * Math.sin(turn), 60 * Math.cos(1.7 * turn), 30 * Math.sin(2.3 * turn)];
      const { along, height } = patientToCurvedSurface(path, at);
      const flat = minus(at, times(path.up, height));
      const found = distance(sampleCurvedSurface(path, along).point, flat);
      expect(found).toBeLessThanOrEqual(Math.min(...path.points.map((point) => distance(point, flat))) + 1e-9);
    }
  });

  it("maps a patient point to the surface and back", () => {
    const up: Vector = [0.1, -0.15, Math.sqrt(1 - 0.01 - 0.0225)];
    const path = present(createCurvedSurface(controls, up));
    for (const place of [
      { along: 12, height: 3, out: 2.5 },
      { along: 37.3, height: -8, out: -4 },
      { along: 60, height: 20, out: 0 },
    ]) {
      const there = patientToCurvedSurface(path, curvedSurfaceToPatient(path, place));
      expect(Math.abs(there.along - place.along)).toBeLessThan(0.05);
      expect(there.height).toBeCloseTo(place.height, 6);
      expect(there.out).toBeCloseTo(place.out, 1);
    }
  });

  it("maps a point to a bent surface and back, and measures true lengths on it", () => {
    const upright = present(createCurvedSurface(controls));
    // The layer leans by a quarter: 3 mm for 12 mm of height, the same along the arch.
    const [columns, rows] = [Math.ceil(upright.length / 3) + 1, 12];
    const out = Array.from({ length: columns * rows }, (_, at) => 0.75 * Math.floor(at / columns) - 4);
    const path = { ...upright, bend: { columns, rows, low: -16, step: 3, out } };
    for (const place of [
      { along: 12, height: 3, out: 0 },
      { along: 37.3, height: -8, out: 1.5 },
    ]) {
      const there = patientToCurvedSurface(path, curvedSurfaceToPatient(path, place));
      expect(Math.abs(there.along - place.along)).toBeLessThan(0.05);
      expect(Math.abs(there.out - place.out)).toBeLessThan(0.05);
    }
    const [low, high] = [-10, 10].map((height) => curvedSurfaceToPatient(path, { along: 30, height, out: 0 })) as [
      Vector,
      Vector,
    ];
    expect(measureCurvedLength(path, low, high)).toBeCloseTo(distance(low, high), 3);
    expect(measureCurvedLength(path, low, high)).toBeCloseTo(20 * Math.hypot(1, 0.25), 1);
    // Around the front 3 mm before the line: a longer way than on the line itself.
    const [right, left] = [onCircle(40, 3), onCircle(110, 3)];
    expect(Math.abs(measureCurvedLength(path, right, left) - (70 / 180) * Math.PI * (radius + 3))).toBeLessThan(0.1);
  });

  it("runs from the patient's right to the left whichever way it was drawn, and faces the cheeks", () => {
    for (const drawn of [controls, controls.toReversed()]) {
      const path = createCurvedSurface(drawn)!;
      expect(path.points[0][0]).toBeLessThan(0);
      const front = sampleCurvedSurface(path, path.length / 2);
      expect(front.normal[1]).toBeLessThan(-0.99);
    }
  });

  it("is null for one point and for points at one position", () => {
    expect(createCurvedSurface([onCircle(0)])).toBeNull();
    expect(createCurvedSurface([onCircle(0), onCircle(0), onCircle(0)])).toBeNull();
  });
});

describe("cross-sections", () => {
  const path = present(createCurvedSurface(controls));

  it("stand perpendicular to the arch, with the cheek on the left and the tongue on the right", () => {
    const { plane, point } = createCrossSection(path, path.length / 2);
    expect(plane.right[1]).toBeGreaterThan(0.99);
    expect(plane.down[2]).toBe(-1);
    expect(Math.abs(dot(plane.away, plane.right))).toBeLessThan(1e-9);
    expect(point[2]).toBeCloseTo(5, 9);
  });

  it("give the patient's distances between points on the screen", () => {
    const { plane, point } = createCrossSection(path, 20);
    const view = { middle: [dot(point, plane.right), dot(point, plane.down)] as const, scale: 7.3 };
    const viewport = { width: 300, height: 400 };
    const depth = dot(point, plane.away);
    const [a, b] = [
      viewportToPatient(plane, view, viewport, [50, 60], depth),
      viewportToPatient(plane, view, viewport, [123, 330], depth),
    ];
    expect(distance(a, b)).toBeCloseTo(Math.hypot(73, 270) / 7.3, 9);
    const known = plus(plus(point, times(plane.right, 3)), times(plane.down, -4));
    const [x, y] = patientToViewport(plane, view, viewport, known);
    expect(distance(known, viewportToPatient(plane, view, viewport, [x, y], depth))).toBeLessThan(1e-9);
    expect(Math.abs(dot(minus(known, point), plane.away))).toBeLessThan(1e-9);
  });

  it("are numbered from the patient's right, as many as fit", () => {
    expect(countCrossSections(path, 2)).toBe(Math.floor(path.length / 2) + 1);
    expect(findCrossSectionNumber(path, 2, 0)).toBe(1);
    expect(findCrossSectionNumber(path, 2, 20.9)).toBe(11);
    expect(findCrossSectionNumber(path, 2, 1e6)).toBe(countCrossSections(path, 2));
  });
});
