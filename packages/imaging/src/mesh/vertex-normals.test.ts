import { expect, it } from "vitest";
import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { weld } from "./mesh.ts";
import { computeVertexNormals } from "./vertex-normals.ts";

const ball = createSphereMesh([1, 2, 3], 12, 80);

/** The largest difference of any normal's part from the direction away from the middle of the ball. */
const findWorst = ({ positions }: { positions: Float32Array }, normals: Float32Array): number =>
  normals.reduce((most, part, at) => Math.max(most, Math.abs(part - (positions[at] - [1, 2, 3][at % 3]) / 12)), 0);

it("points away from the middle of a ball at every joined corner", () => {
  const joined = weld(ball);
  expect(findWorst(joined, computeVertexNormals(joined))).toBeLessThan(0.03);
});

it("gives corners that are not joined the normal of their own triangle", () => {
  const normals = computeVertexNormals({
    ...ball,
    indices: null,
    positions: Float32Array.of(0, 0, 0, 2, 0, 0, 0, 3, 0),
  });
  expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
});
