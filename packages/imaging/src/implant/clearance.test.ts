import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "@arcada/phantom/math/random";
import { distance, dot, minus, plus, times, normalize, type Vector } from "../geometry/vector.ts";
import {
  getRadialDirections,
  measureDistanceToBody,
  findNearestOnBody,
  getRing,
  type ImplantBody,
} from "./implant-body.ts";
import {
  measureImplantClearance,
  measureCanalClearance,
  getDistanceLowerBound,
  measureRootClearance,
} from "./clearance.ts";
import { createSmoothLine } from "../arch/smooth-line.ts";
import type { ToothRoot } from "./tooth-root.ts";

const place = (random: Random, reach: number): Vector => [
  random.between(-reach, reach),
  random.between(-reach, reach),
  random.between(-reach, reach),
];
const bodyIn = (random: Random, reach = 12): ImplantBody => {
  const head = place(random, reach);
  const shoulder = random.between(1, 3);
  return {
    head,
    apex: plus(head, times(normalize(place(random, 1)), random.between(4, 16))),
    shoulder,
    tip: random.unit() < 0.4 ? shoulder : shoulder * random.between(0.3, 1),
  };
};
const rootIn = (random: Random, reach = 12): ToothRoot => {
  const neck = place(random, reach);
  const wide = random.between(1.5, 4);
  return {
    neck,
    apex: plus(neck, times(normalize(place(random, 1)), random.between(5, 16))),
    wide,
    thin: wide * random.between(0.2, 1),
  };
};

/** Yields points all over a body's surface, including both ends, 0.25 mm apart at most. */
function* surfaceOf(body: ImplantBody): Generator<Vector> {
  const ways = getRadialDirections(body, 96);
  for (let ring = 0; ring <= 64; ring++) {
    const [middle, radius] = getRing(body, ring / 64);
    for (const way of ways) yield plus(middle, times(way, radius));
  }
  for (const [middle, radius] of [getRing(body, 0), getRing(body, 1)])
    for (let part = 0; part < 12; part++) for (const way of ways) yield plus(middle, times(way, (radius * part) / 12));
}
const leastOver = (body: ImplantBody, other: (point: Vector) => number): number => {
  let least = Infinity;
  for (const point of surfaceOf(body)) least = Math.min(least, other(point));
  return least;
};
const rootDistance =
  ({ neck, apex, wide, thin }: ToothRoot) =>
  (point: Vector): number => {
    let least = Infinity;
    for (let at = 0; at <= 40; at++) {
      const middle = plus(times(neck, 1 - at / 40), times(apex, at / 40));
      least = Math.min(least, distance(point, middle) - (wide + ((thin - wide) * at) / 40));
    }
    return least;
  };

describe("the clearance of an implant", () => {
  it("to another implant agrees with all points of both surfaces, and is the same from either side", () => {
    const random = createRandom("bodies");
    for (let round = 0; round < 40; round++) {
      const [one, other] = [bodyIn(random), bodyIn(random)];
      const { mm, from, to } = measureImplantClearance(one, other);
      const truth = Math.min(
        leastOver(one, (point) => measureDistanceToBody(other, point)),
        leastOver(other, (point) => measureDistanceToBody(one, point)),
      );
      expect(mm).toBeLessThanOrEqual(Math.max(0, truth) + 1e-3);
      expect(mm).toBeGreaterThan(truth - 0.08);
      expect(measureImplantClearance(other, one).mm).toBeCloseTo(mm, 3);
      expect(distance(from, to)).toBeCloseTo(mm, 6);
      if (mm > 0) {
        expect(Math.abs(measureDistanceToBody(one, from))).toBeLessThan(1e-3);
        expect(Math.abs(measureDistanceToBody(other, to))).toBeLessThan(1e-3);
      }
      expect(getDistanceLowerBound(one, other)).toBeLessThanOrEqual(mm + 1e-6);
    }
  });

  it("is that of the ends if a thin implant stands under a wide one", () => {
    const wide: ImplantBody = { head: [0, 0, 10], apex: [0, 0, 0], shoulder: 3, tip: 3 };
    const thin: ImplantBody = { head: [0, 0, -2], apex: [0, 0, -12], shoulder: 1, tip: 1 };
    expect(measureImplantClearance(wide, thin).mm).toBeCloseTo(2, 4);
    expect(measureImplantClearance(thin, wide).mm).toBeCloseTo(2, 4);
  });

  it("to a root agrees with all points of its surface", () => {
    const random = createRandom("roots");
    let apart = 0;
    for (let round = 0; round < 12; round++) {
      const [body, root] = [bodyIn(random), rootIn(random)];
      const { mm, from, to } = measureRootClearance(body, root);
      const truth = leastOver(body, rootDistance(root));
      expect(mm).toBeLessThanOrEqual(Math.max(0, truth) + 0.01);
      expect(mm).toBeGreaterThan(truth - 0.05);
      if (mm === 0) continue;
      apart++;
      expect(Math.abs(measureDistanceToBody(body, from))).toBeLessThan(1e-3);
      expect(Math.abs(rootDistance(root)(to))).toBeLessThan(0.01);
      expect(getDistanceLowerBound(body, root)).toBeLessThanOrEqual(mm + 1e-6);
    }
    expect(apart).toBeGreaterThan(4);
  });

  it("to a canal agrees with a much more finely sampled line, and its ends lie on both surfaces", () => {
    const random = createRandom("canals");
    let apart = 0;
    for (let round = 0; round < 40; round++) {
      const control = [-30, -15, 0, 15, 30].map((x): Vector => [x, random.between(-6, 6), random.between(-6, 6)]);
      const radius = random.between(0.8, 2);
      const body = bodyIn(random);
      const tube = { line: createSmoothLine(control, 0.25), radius };
      const { mm, from, to } = measureCanalClearance(body, tube);
      const truth =
        Math.min(...createSmoothLine(control, 0.01).points.map((point) => measureDistanceToBody(body, point))) - radius;
      expect(Math.abs(mm - truth)).toBeLessThan(0.01);
      if (mm <= 0) continue;
      apart++;
      expect(distance(from, to)).toBeCloseTo(mm, 4);
      expect(Math.abs(measureDistanceToBody(body, from))).toBeLessThan(1e-3);
    }
    expect(apart).toBeGreaterThan(12);
  });
});

describe("the nearest place of an implant's surface", () => {
  it("lies on the surface, at the stated distance", () => {
    const random = createRandom("nearest");
    for (let round = 0; round < 60; round++) {
      const [body, point] = [bodyIn(random), place(random, 20)];
      const { mm, place: there } = findNearestOnBody(body, point);
      expect(Math.abs(mm)).toBeCloseTo(distance(point, there), 9);
      expect(Math.abs(measureDistanceToBody(body, there))).toBeLessThan(1e-9);
      const truth = leastOver(body, (each) => distance(each, point));
      expect(truth).toBeGreaterThan(Math.abs(mm) - 1e-9);
      expect(truth).toBeLessThan(Math.abs(mm) + 0.1);
      const along = dot(minus(point, body.head), normalize(minus(body.apex, body.head)));
      if (along < 0) expect(mm).toBeGreaterThan(0);
    }
    const upright: ImplantBody = { head: [0, 0, 0], apex: [0, 0, -10], shoulder: 2, tip: 2 };
    expect(findNearestOnBody(upright, [0, 0, -5]).mm).toBe(-2);
    expect(findNearestOnBody(upright, [0, 0, 3])).toEqual({ mm: 3, place: [0, 0, 0] });
  });
});
