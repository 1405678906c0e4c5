import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { present } from "@arcada/testing/require-present";
import { describe, expect, it } from "vitest";
import type { Mesh } from "../mesh/mesh.ts";
import { measureDeviation } from "./surface-deviation.ts";

const toSurface = ({ positions, indices }: Mesh) => ({ positions, indices: present(indices) });
/** A square of 4 mm in the plane z = 0, in two triangles. */
const square = {
  positions: Float32Array.from([0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0]),
  indices: Uint32Array.from([0, 1, 2, 0, 2, 3]),
};
const deviationOf = (...points: number[]) => measureDeviation(Float32Array.from(points), square, 1);

describe("the deviation of points from a surface", () => {
  it.each([
    ["above a triangle", [3, 1, 0.4], 0.4],
    ["beside its side", [2, -0.3, 0.4], 0.5],
    ["beyond its corner", [4.2, 4.2, 0.1], 0.3],
    ["of the farthest of several", [1, 1, 0, 1, 3, -0.7, 3, 3, 0.2], 0.7],
  ])("is the distance %s", (_, points, distance) => {
    expect(deviationOf(...points)).toBeCloseTo(distance, 6);
  });

  it("is not measured if a point is beyond the limit, near or far", () => {
    expect(deviationOf(1, 1, 0, 1, 1, 1.01)).toBeNull();
    expect(deviationOf(1, 1, 0, 500, 0, 0)).toBeNull();
    expect(deviationOf(1, 1, 0, Number.NaN, 0, 0)).toBeNull();
  });

  it("of a fine sphere from a coarse one is the sagitta of its chords", () => {
    const [fine, coarse] = [300, 60].map((steps) => toSurface(createSphereMesh([5, -3, 2], 10, steps)));
    const deviation = present(measureDeviation(fine.positions, coarse, 0.2));
    // At the equator, across the diagonal of a square of 6 degrees.
    const sagitta = 10 * (1 - Math.cos((Math.PI / 60) * Math.SQRT2));
    expect(deviation / sagitta).toBeGreaterThan(0.9);
    expect(deviation / sagitta).toBeLessThan(1.02);
  });
});
