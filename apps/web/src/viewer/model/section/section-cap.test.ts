import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { cross, lengthOf, minus, normalize, type Vector } from "@arcada/imaging/geometry/vector";
import { expect, it } from "vitest";
import { SurfaceTree } from "../mesh/surface-tree.ts";
import { triangulateCap } from "./section-cap.ts";
import { present } from "@arcada/testing/require-present";

it("fills a hollow body's wall and leaves its inside empty", () => {
  const normal = normalize([1, -1, 3]);
  const radii = [10, 7, 3];
  const lines = radii.flatMap((radius) => {
    const { positions, indices } = createSphereMesh([0, 0, 0], radius, 120);
    return new SurfaceTree({ positions, indices: present(indices) }).intersectPlane({ normal, offset: 0 });
  });
  const cap = triangulateCap(lines, normal);
  const corner = (at: number): Vector => [cap[at], cap[at + 1], cap[at + 2]];
  let area = 0;
  for (let at = 0; at < cap.length; at += 9)
    area += lengthOf(cross(minus(corner(at + 3), corner(at)), minus(corner(at + 6), corner(at)))) / 2;
  expect(Math.abs(area / (Math.PI * (100 - 49 + 9)) - 1)).toBeLessThan(0.005);
});
