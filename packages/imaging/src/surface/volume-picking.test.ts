import { describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { greyValues } from "@arcada/phantom/cbct/grey-values";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createRenderRays } from "../view/camera-rays.ts";
import { unclipped } from "../view/volume-clip.ts";
import { cross, distance, lengthOf, normalize, type Vector } from "../geometry/vector.ts";
import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import { createBodyGrid, createTiltedGeometry } from "./synthetic-grid.ts";
import { computeTissueThresholds } from "./tissue-thresholds.ts";
import { findFirstAbove, findHighestAlong } from "./volume-picking.ts";
import { present } from "@arcada/testing/require-present";

const ball = createBodyGrid(createTiltedGeometry([60, 50, 44], [0.6, 0.6, 0.8]), (point) => 9 - lengthOf(point));

describe("a point of the surface that is clicked on", () => {
  it.each<[Vector]>([[[0, -1, 0]], [[1, 0, 0]], [[0.3, -0.5, 0.8]]])("lies on the surface: from %s", (side) => {
    const eye = normalize(side);
    const hit = present(
      findFirstAbove(ball, { origin: [0, 0, 0], direction: [-eye[0], -eye[1], -eye[2]] }, unclipped, 500),
    );
    expect(distance(hit, [9 * eye[0], 9 * eye[1], 9 * eye[2]])).toBeLessThan(0.1);
  });

  it("lies on the cut face where the volume is cut, and nowhere where all of it is taken away", () => {
    const ray = { origin: [1, -30, 2], direction: [0, 1, 0] } as const;
    const cut = (normal: Vector, offset: number) => ({ ...unclipped, cut: { normal, offset } });
    expect(findFirstAbove(ball, ray, cut([0, -1, 0], 3), 500)?.[1]).toBeCloseTo(-3, 2);
    expect(findFirstAbove(ball, ray, cut([0, -1, 0], -20), 500)).toBeNull();
    expect(findFirstAbove(ball, { ...ray, origin: [12, -30, 2] }, unclipped, 500)).toBeNull();
  });

  it("is the densest one where the largest values are shown", () => {
    const cone = createBodyGrid(ball.info, (point) => 1 - distance(point, [3, 4, -2]));
    const found = present(findHighestAlong(cone, { origin: [3, -30, -2], direction: [0, 1, 0] }, unclipped));
    expect(distance(found, [3, 4, -2])).toBeLessThan(0.8);
  });
});

describe("the rays of an image", () => {
  it("run through the texture where they run through the patient", () => {
    const { info } = ball;
    const eye = normalize([0.4, -0.8, 0.2]);
    const right = normalize(cross([0, 0, 1], eye));
    const camera = { right, up: cross(eye, right), eye, target: [1, 2, -3] as const, scale: 7, hasPerspective: false };
    const coarse = { ...info, columns: 15, rows: 13, slices: 11 };
    const preview = { ...coarse, spacing: [2.4, 2.4, 3.2] as [number, number, number], origin: at([1.5, 1.5, 1.5]) };
    const clip = { ...unclipped, cut: { normal: normalize([1, 1, 0]), offset: 2 } };
    const rays = createRenderRays(info, preview, camera, { width: 300, height: 200 }, clip);
    // 20 pixels to the right of the middle, 30 above it, 4 mm behind the target.
    const point: Vector = [0, 1, 2].map(
      (axis) => camera.target[axis] + (20 * camera.right[axis] + 30 * camera.up[axis]) / 7 - 4 * camera.eye[axis],
    ) as unknown as Vector;
    const { texture } = rays;
    const spot = [0, 1, 2].map(
      (axis) =>
        texture.at[axis] + (20 / 150) * texture.across[axis] - (30 / 100) * texture.down[axis] + 4 * texture.away[axis],
    );
    const voxel = patientToVoxel(info, [...point]);
    const size = [info.columns, info.rows, info.slices];
    const coarseVoxel = patientToVoxel(preview, [...point]);
    for (const axis of [0, 1, 2]) {
      expect(spot[axis] * size[axis] - 0.5).toBeCloseTo(voxel[axis], 6);
      const inPreview = spot[axis] * rays.preview!.scale[axis] + rays.preview!.shift[axis];
      expect(inPreview * [15, 13, 11][axis] - 0.5).toBeCloseTo(coarseVoxel[axis], 6);
    }
    const height =
      present(rays.cut, "cut")[0] * spot[0] +
      present(rays.cut, "cut")[1] * spot[1] +
      present(rays.cut, "cut")[2] * spot[2] +
      present(rays.cut, "cut")[3];
    expect(height).toBeCloseTo((point[0] + point[1]) / Math.SQRT2 - 2, 6);
  });
});

const at = (voxel: [number, number, number]) => {
  const { origin, spacing, direction } = ball.info;
  return [0, 1, 2].map((axis) =>
    voxel.reduce((sum, index, along) => sum + index * spacing[along] * direction[3 * along + axis], origin[axis]),
  ) as [number, number, number];
};

describe("tissue thresholds", () => {
  it("separate bone from soft tissue, and soft tissue from air, by the volume's own values", () => {
    const { data } = createCbctVolume(makeHead("matter"), { columns: 70, rows: 70, slices: 50, voxel: 2 });
    const { soft, hard, dense } = computeTissueThresholds(data);
    expect(soft).toBeGreaterThan(greyValues.air + 150);
    expect(soft).toBeLessThan(greyValues.fat - 50);
    expect(hard).toBeGreaterThan(greyValues.muscle + 50);
    expect(hard).toBeLessThan(greyValues.compact);
    expect(dense).toBeGreaterThan(hard);
  });
});
