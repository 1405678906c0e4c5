import {
  createBiteColourScale,
  getDistanceColour,
  countContacts,
  summarizeDistances,
} from "@arcada/imaging/mesh/distance-statistics";
import { weld } from "@arcada/imaging/mesh/mesh";
import { createBoxMesh, createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { identityTransform, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { describe, expect, it } from "vitest";
import { surfaceDistances, type TreeSurface } from "./surface-distances.ts";
import { present } from "@arcada/testing/require-present";

const surface = (mesh: ReturnType<typeof createBoxMesh>, pose: RigidTransform = identityTransform): TreeSurface => {
  const { positions, indices } = weld(mesh);
  return { positions, indices: present(indices), bvh: null, pose };
};
const shifted = (z: number): RigidTransform => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, z];
const lower = surface(createBoxMesh([-10, -10, -4], [10, 10, 0], 12));
/** A plate over it, with the given gap. */
const upper = (gap: number) => surface(createBoxMesh([-6, -6, 0], [6, 6, 3], 9), shifted(gap));

describe("the bite of two plates", () => {
  it.each([0.35, 0.02, -0.12, -0.4])("is %s mm wide wherever they face each other", (gap) => {
    const plate = upper(gap);
    const distances = surfaceDistances(plate, lower, 1.2);
    const facing = distances.filter((_, vertex) => plate.positions[3 * vertex + 2] === 0);
    expect(facing).toHaveLength(100);
    for (const value of facing) expect(Math.abs(value - gap)).toBeLessThan(0.02);
    const away = distances.filter((_, vertex) => plate.positions[3 * vertex + 2] === 3);
    expect(away.every(Number.isNaN)).toBe(true);
  });

  it("is counted as deep, touching or near", () => {
    const counted = (gap: number) => countContacts(surfaceDistances(upper(gap), lower, 0.5), 0.5);
    expect(counted(-0.12)).toMatchObject({ deep: 100, touching: 0, deepest: expect.closeTo(0.12, 5) });
    // The first row of vertices of its sides lies within half a millimetre, too.
    expect(counted(0.02)).toEqual({ deep: 0, touching: 100, near: 36, deepest: 0 });
    expect(counted(0.3)).toEqual({ deep: 0, touching: 0, near: 100, deepest: 0 });
  });

  it("has no colour where the jaws are apart", () => {
    const scale = createBiteColourScale(0.5);
    expect(getDistanceColour(scale, 0.51)).toBeNull();
    expect(getDistanceColour(scale, NaN)).toBeNull();
    expect(getDistanceColour(scale, -3)).toEqual([96, 0, 48]);
    expect(getDistanceColour(scale, 0.5)).toEqual([40, 110, 190]);
  });
});

describe("the distance between two versions", () => {
  const first = surface(createSphereMesh([0, 0, 0], 10, 80));

  it("is signed, and its statistics match what was added and removed", () => {
    for (const grown of [0.2, -0.15]) {
      const second = surface(createSphereMesh([0, 0, 0], 10 + grown, 80));
      const {
        mean,
        meanAbsolute: meanOff,
        p95,
        maxAbsolute: most,
        count,
        within,
      } = summarizeDistances(surfaceDistances(second, first, 2), 1);
      expect(count).toBe(second.positions.length / 3);
      expect(within).toBe(count);
      expect(mean).toBeCloseTo(grown, 2);
      expect(meanOff).toBeCloseTo(Math.abs(grown), 2);
      expect(p95 - Math.abs(grown)).toBeLessThan(0.02);
      expect(most - Math.abs(grown)).toBeLessThan(0.02);
    }
  });

  it("excludes values beyond the range from its statistics", () => {
    const {
      within,
      histogram: steps,
      maxAbsolute: most,
    } = summarizeDistances(Float32Array.of(0.15, -0.25, 0.9, NaN), 0.5, 10);
    expect([within, most]).toEqual([2, 0.25]);
    expect(steps).toEqual([0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  it("is unknown beside the border of an open surface", () => {
    const sheet = surface(createBoxMesh([-5, -5, 0], [5, 5, 1], 10));
    const top = sheet.indices.filter((_, at) => {
      const corners = [0, 1, 2].map((i) => sheet.indices[3 * Math.floor(at / 3) + i]);
      return corners.every((vertex) => sheet.positions[3 * vertex + 2] === 1);
    });
    const points = Float32Array.of(0.3, 0.2, 1.4, 0.3, 0.2, 0.6, 5.3, 0, 1.1);
    const [above, below, beside] = surfaceDistances(
      { positions: points, pose: identityTransform },
      { ...sheet, indices: top },
      2,
    );
    expect([above, below]).toEqual([expect.closeTo(0.4, 5), expect.closeTo(-0.4, 5)]);
    expect(beside).toBeNaN();
  });
});
