import { findContourPath } from "@arcada/imaging/mesh/contour";
import { weld } from "@arcada/imaging/mesh/mesh";
import { createCrownDesign, createArchScan } from "@arcada/phantom/scan/arch-scan";
import { makeHead, type HeadTooth } from "@arcada/phantom/anatomy/head";
import { createBoxMesh, createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { distanceToTooth } from "@arcada/phantom/anatomy/tooth-shape";
import { distance, plus, times, normalize, type Vector } from "@arcada/imaging/geometry/vector";
import { describe, expect, it } from "vitest";
import { SurfaceTree } from "./surface-tree.ts";
import { present } from "@arcada/testing/require-present";

const treeOf = (mesh: ReturnType<typeof createBoxMesh>) => {
  const { positions, indices } = weld(mesh);
  return new SurfaceTree({ positions, indices: present(indices) });
};

describe("measuring on a surface", () => {
  const ball = treeOf(createSphereMesh([1, 2, 3], 12, 160));

  it("finds points under the pointer within 0.1 mm, so that lengths are accurate", () => {
    const down: Vector = [0, 0, -1];
    const from = present(ball.raycast([1 - 5, 2, 50], down)).point;
    const to = present(ball.raycast([1 + 5, 2, 50], down)).point;
    expect(Math.abs(distance(from, to) - 10)).toBeLessThan(0.1);
    expect(Math.abs(from[2] - (3 + Math.sqrt(144 - 25)))).toBeLessThan(0.1);
  });

  it("ignores what has been cut away", () => {
    const hit = present(ball.raycast([1, 2, 50], [0, 0, -1], ([, , z]) => z < 3));
    expect(hit.point[2]).toBeCloseTo(3 - 12, 1);
  });

  it("cuts a sphere in a circle of the true length", () => {
    const normal = normalize([1, 1, -2]);
    const [circle, ...more] = ball.intersectPlane({ normal, offset: normal[0] + 2 * normal[1] + 3 * normal[2] + 5 });
    expect(more).toEqual([]);
    expect(Math.abs(circle.length / (2 * Math.PI * Math.sqrt(144 - 25)) - 1)).toBeLessThan(0.005);
  });

  it("follows the surface from point to point", () => {
    const path = present(
      findContourPath(ball.intersectPlane({ normal: [0, 1, 0], offset: 2 }), [13, 2, 3], [1, 2, 15]),
    );
    expect(Math.abs(path.length - 6 * Math.PI)).toBeLessThan(0.1);
  });

  it("measures a wall's thickness straight through it", () => {
    const plate = treeOf(createBoxMesh([0, 0, 0], [30, 20, 1.35], 20));
    expect(distance(present(plate.findOpposite([11.3, 8.2, 1.35])), [11.3, 8.2, 1.35])).toBeCloseTo(1.35, 4);
    const sheet = createBoxMesh([0, 0, 0], [30, 20, 1.35]);
    expect(treeOf({ ...sheet, positions: sheet.positions.slice(-18) }).findOpposite([11, 8, 1.35])).toBeNull();
  });
});

describe("a generated scan", () => {
  const head = makeHead("test");
  const toothOf = (fdi: number) => present(head.teeth.find((tooth) => tooth.fdi === fdi));
  /** A point in a tooth's own coordinates: the distance towards the cheek, and the height above its neck. */
  const placeBy = ({ neck, axes }: HeadTooth, buccal: number, high: number): Vector =>
    plus(plus(neck, times(axes.buccal, buccal)), times(axes.crown, high));

  it("has the tooth distances of the head from which it was generated, within 0.1 mm", () => {
    const scan = treeOf(createArchScan(head, "lower"));
    const [found, truth] = [33, 43].reduce<[Vector[], Vector[]]>(
      ([found, truth], fdi) => {
        const tooth = toothOf(fdi);
        const high = 0.6 * tooth.shape.crown;
        let [inside, outside] = [0, 9];
        for (let step = 0; step < 40; step++) {
          const middle = (inside + outside) / 2;
          if (distanceToTooth(tooth.shape, 0, middle, high) < 0) inside = middle;
          else outside = middle;
        }
        const hit = present(scan.raycast(placeBy(tooth, 9, high), times(tooth.axes.buccal, -1)));
        return [
          [...found, hit.point],
          [...truth, placeBy(tooth, inside, high)],
        ];
      },
      [[], []],
    );
    expect(distance(truth[0], truth[1])).toBeGreaterThan(20);
    expect(Math.abs(distance(found[0], found[1]) - distance(truth[0], truth[1]))).toBeLessThan(0.1);
  });

  it("has a crown with the designed wall thickness", () => {
    const tooth = toothOf(36);
    const crown = treeOf(present(createCrownDesign(head, 36)));
    const hit = present(crown.raycast(placeBy(tooth, 20, 1.2), times(tooth.axes.buccal, -1)));
    const wall = distance(hit.point, present(crown.findOpposite(hit.point)));
    expect(wall).toBeGreaterThan(0.5);
    expect(wall).toBeLessThan(1.3);
  });
});
