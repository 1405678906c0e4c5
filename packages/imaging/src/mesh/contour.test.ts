import { describe, expect, it } from "vitest";
import { createBoxMesh, createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { normalize, type Vector } from "../geometry/vector.ts";
import { joinContours, cutTriangle, findContourPath, type Contour } from "./contour.ts";
import { getTriangleCorners, countTriangles, computeEnclosedVolume, type Mesh } from "./mesh.ts";
import { present } from "@arcada/testing/require-present";

function section(mesh: Mesh, normal: Vector, offset: number): Contour[] {
  const segments = Array.from({ length: countTriangles(mesh) }, (_, triangle) =>
    cutTriangle(mesh.positions, getTriangleCorners(mesh, triangle), { normal, offset }),
  );
  return joinContours(segments.filter((segment) => segment !== null));
}

const total = (contours: Contour[]) => contours.reduce((sum, { length }) => sum + length, 0);

describe("a section", () => {
  const sphere = createSphereMesh([3, -2, 8], 10, 96);

  it.each([
    ["along z", [0, 0, 1] as Vector],
    ["along x", [1, 0, 0] as Vector],
    ["oblique", normalize([1, -2, 0.7])],
  ])("of a sphere is one closed circle of the true length: %s", (_, normal) => {
    for (const height of [0, 4, -7]) {
      const offset = normal[0] * 3 + normal[1] * -2 + normal[2] * 8 + height;
      const [circle, ...more] = section(sphere, normal, offset);
      expect(more).toEqual([]);
      expect(circle.isClosed).toBe(true);
      const truth = 2 * Math.PI * Math.sqrt(100 - height * height);
      expect(Math.abs(circle.length / truth - 1)).toBeLessThan(0.005);
    }
  });

  it("is empty if the plane does not cut the mesh", () => expect(section(sphere, [0, 0, 1], 18.5)).toEqual([]));

  it("through corners and edges that lie on the plane comes once", () => {
    const box = createBoxMesh([0, 0, 0], [4, 4, 4], 2);
    expect(computeEnclosedVolume(box)).toBeCloseTo(64, 6);
    for (const height of [2, 4]) {
      const contours = section(box, [0, 0, 1], height);
      expect(contours).toHaveLength(1);
      expect(contours[0].isClosed).toBe(true);
      expect(total(contours)).toBeCloseTo(16, 6);
    }
  });

  it("of an open surface is an open line", () => {
    const box = createBoxMesh([0, 0, 0], [4, 4, 4]);
    // Without the first of its six sides.
    const [line, ...more] = section({ ...box, positions: box.positions.slice(18) }, [0, 0, 1], 1);
    expect(more).toEqual([]);
    expect(line.isClosed).toBe(false);
    expect(line.length).toBeCloseTo(12, 6);
  });
});

describe("a path along a surface", () => {
  const contours = section(createSphereMesh([0, 0, 0], 10, 128), [0, 0, 1], 0.01);

  it("is the shorter arc between two points, from whichever one it begins", () => {
    const path = (from: Vector, to: Vector) => present(findContourPath(contours, from, to)).length;
    expect(path([10, 0, 0], [0, 10, 0])).toBeCloseTo(5 * Math.PI, 1);
    expect(path([0, 10, 0], [10, 0, 0])).toBeCloseTo(5 * Math.PI, 1);
    expect(path([8, -6, 0], [8, 6, 0])).toBeCloseTo(20 * Math.atan(0.75), 1);
  });

  it("is null for a point on no common line", () =>
    expect(findContourPath(contours, [10, 0, 0], [0, 12, 0])).toBeNull());
});
