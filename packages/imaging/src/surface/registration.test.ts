import { describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createRandom } from "@arcada/phantom/math/random";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import type { Vector } from "../geometry/vector.ts";
import {
  identityTransform,
  invertTransform,
  compose,
  transformPoint,
  getRotationAngle,
  type RigidTransform,
} from "../geometry/rigid-transform.ts";
import { computeVertexNormals } from "../mesh/vertex-normals.ts";
import { fitSurfaces, registerPointPairs, computeResiduals, type SurfacePoints } from "./registration.ts";

const jaw = createArchScan(makeHead("registration"), "lower");
const whole: SurfacePoints = { positions: jaw.positions, normals: computeVertexNormals(jaw) };

/** 7 mm and 12° away from home, about a slanted axis. */
const away = registerPointPairs(
  [
    [0, 0, 0],
    [10, 0, 0],
    [0, 10, 0],
    [0, 0, 10],
  ],
  [[5, -4, 3], ...turnedCorners()],
).rigidTransform;

function turnedCorners(): Vector[] {
  const [c, s] = [Math.cos((12 * Math.PI) / 180), Math.sin((12 * Math.PI) / 180)];
  return [
    [5 + 10 * c, -4 + 10 * s, 3],
    [5 - 10 * s, -4 + 10 * c, 3],
    [5, -4, 13],
  ];
}

/** Some points of a surface, moved, each pushed along its normal by some noise. */
function taken(
  surface: SurfacePoints,
  by: RigidTransform,
  noise: number,
  holds: (point: Vector) => boolean,
): SurfacePoints {
  const chance = createRandom("noise");
  const positions: number[] = [];
  const normals: number[] = [];
  const turn: RigidTransform = [by[0], by[1], by[2], 0, by[4], by[5], by[6], 0, by[8], by[9], by[10], 0];
  for (let at = 0; at < surface.positions.length; at += 3) {
    const [point, normal] = [surface.positions, surface.normals].map((all): Vector => [
      all[at],
      all[at + 1],
      all[at + 2],
    ]);
    if (!holds(point)) continue;
    const off = noise * chance.normal();
    positions.push(
      ...transformPoint(by, [point[0] + off * normal[0], point[1] + off * normal[1], point[2] + off * normal[2]]),
    );
    normals.push(...transformPoint(turn, normal));
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals) };
}

/** The middles of the triangles: points of the same surface that are none of its vertices. */
function betweenVertices(): SurfacePoints {
  const { positions: p, indices } = jaw;
  const positions = new Float32Array(indices!.length);
  const normals = new Float32Array(indices!.length);
  for (let at = 0; at < indices!.length; at++)
    for (let axis = 0; axis < 3; axis++) {
      const to = at - (at % 3) + axis;
      positions[to] += p[3 * indices![at] + axis] / 3;
      normals[to] += whole.normals[3 * indices![at] + axis] / 3;
    }
  return { positions, normals };
}

/** mm by which the worst point of the jaw is off. */
const worst = (found: RigidTransform): number => {
  let most = 0;
  const both = compose(found, away);
  for (let at = 0; at < jaw.positions.length; at += 3) {
    const point: Vector = [jaw.positions[at], jaw.positions[at + 1], jaw.positions[at + 2]];
    most = Math.max(most, Math.hypot(...transformPoint(both, point).map((value, axis) => value - point[axis])));
  }
  return most;
};

/** Three pairs as picked by a user: about a millimetre off. */
const byHand = (): RigidTransform => {
  const teeth: Vector[] = [
    [-22, 0, 0],
    [0, -30, 0],
    [22, 0, 0],
  ];
  const missed: Vector[] = [
    [-21.2, 0.7, 0.6],
    [0.9, -30.5, -0.7],
    [22.3, -0.9, 0.8],
  ];
  return registerPointPairs(
    teeth.map((point) => transformPoint(away, point)),
    missed,
  ).rigidTransform;
};

describe("bringing a scan onto the teeth of a volume", () => {
  it("finds the transform of exact pairs, and reports the error of others", () => {
    const from: Vector[] = [
      [1, 2, 3],
      [30, -4, 5],
      [-6, 25, 7],
      [4, 4, -20],
    ];
    const exact = registerPointPairs(
      from,
      from.map((point) => transformPoint(away, point)),
    );
    expect(exact.rms).toBeLessThan(1e-9);
    expect(getRotationAngle(compose(exact.rigidTransform, invertTransform(away)))).toBeLessThan(1e-5);
    expect(getRotationAngle(away)).toBeCloseTo(12, 6);
    const off = registerPointPairs(
      from,
      from.map(([x, y, z], at) => [x, y, z + (at % 2 ? 1 : -1)]),
    );
    expect(off.rms).toBeGreaterThan(0.3);
  });

  it("recovers a known transform within 0.05 mm and 0.1 degrees", () => {
    const scan = taken(betweenVertices(), away, 0, () => true);
    const fit = fitSurfaces(scan, whole, { start: byHand(), keep: 0.9, reach: 4 });
    expect(worst(fit.rigidTransform)).toBeLessThan(0.05);
    expect(getRotationAngle(compose(fit.rigidTransform, away))).toBeLessThan(0.1);
    expect(fit.rms).toBeLessThan(0.05);
  });

  it("recovers it within 0.2 mm where a third of the scan has no counterpart and both are noisy", () => {
    const scan = taken(betweenVertices(), away, 0.1, () => true);
    // The volume ends behind the premolars on one side.
    const teeth = taken(whole, identityTransform, 0.1, ([x, y]) => x < 2 || y < -20);
    expect(teeth.positions.length / whole.positions.length).toBeLessThan(0.72);
    const fit = fitSurfaces(scan, teeth, { start: byHand(), keep: 0.75, reach: 4 });
    expect(worst(fit.rigidTransform)).toBeLessThan(0.2);
    const off = computeResiduals(scan, teeth, fit.rigidTransform, 1).filter((value) => !Number.isNaN(value));
    expect(Math.abs(off.reduce((sum, value) => sum + value, 0) / off.length)).toBeLessThan(0.05);
  });

  it("ends when the caller cancels it", () => {
    const fit = fitSurfaces(whole, whole, { start: byHand(), keep: 0.9, reach: 4, onRound: () => false });
    expect(fit.rounds).toBe(1);
  });
});
