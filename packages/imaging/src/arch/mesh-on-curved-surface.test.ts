import { expect, it } from "vitest";
import type { RigidTransform } from "../geometry/rigid-transform.ts";
import { distance, type Vector } from "../geometry/vector.ts";
import { createCurvedSurface, patientToCurvedSurface, curvedSurfaceToPatient } from "./curved-surface.ts";
import { intersectMesh } from "./mesh-on-curved-surface.ts";
import { present } from "@arcada/testing/require-present";

const radius = 24;
const onCircle = (degrees: number, height: number): Vector => {
  const angle = (degrees * Math.PI) / 180;
  return [-radius * Math.cos(angle), -radius * Math.sin(angle), height];
};
const path = present(createCurvedSurface(Array.from({ length: 19 }, (_, at) => onCircle(at * 10, 5))));

/** Around its own zero, of rows and columns. */
function ball(size: number, rows: number) {
  const columns = 2 * rows;
  const positions: number[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column < columns; column++) {
      const [down, round] = [(row / rows) * Math.PI, (column / columns) * 2 * Math.PI];
      const ring = size * Math.sin(down);
      positions.push(ring * Math.cos(round), ring * Math.sin(round), size * Math.cos(down));
    }
  const indices: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [a, b] = [row * columns + column, row * columns + ((column + 1) % columns)];
      indices.push(a, b, a + columns, b, b + columns, a + columns);
    }
  return { positions, indices };
}

const at = ([x, y, z]: Vector): RigidTransform => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];

it("draws the outline where the curved surface cuts the mesh, within 0.05 mm", () => {
  const middle = onCircle(50, 8);
  const segments = intersectMesh(path, ball(5, 60), at(middle));
  expect(segments.length).toBeGreaterThan(100);
  const off = segments.flat().map((spot) => distance(curvedSurfaceToPatient(path, { ...spot, out: 0 }), middle) - 5);
  expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.05);
  const heights = segments.flat().map(({ height }) => height);
  expect(Math.max(...heights) - Math.min(...heights)).toBeCloseTo(10, 1);
  expect(patientToCurvedSurface(path, middle).along).toBeCloseTo((50 / 180) * Math.PI * radius, 1);
});

it("draws nothing that lies in front of the curved surface, behind it, or beyond its ends", () => {
  const surface = ball(3, 12);
  for (const place of [
    [-30, 0, 5],
    [0, 0, 5],
    [-radius, 20, 5],
    [0, -40, 5],
  ] as const)
    expect(intersectMesh(path, surface, at(place))).toEqual([]);
});
