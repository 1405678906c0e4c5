import { expect, it } from "vitest";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { findFirstPaintBend, keepFirstPaintBend, nameBend } from "./first-paint-bend.ts";

const points: Vector[] = [
  [-20, 0, 0],
  [0, -30, 0],
  [20, 0, 0],
];
const grid: VolumeGeometry = {
  columns: 200,
  rows: 200,
  slices: 150,
  spacing: [0.4, 0.4, 0.4],
  origin: [-40, -40, -30],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};

it("gives the layer of the first paint to its own volume and to no other", () => {
  keepFirstPaintBend(nameBend("instance-1", points, [0, 0, 1], grid), null);
  const find = (owner: string, geometry: VolumeGeometry) =>
    findFirstPaintBend(nameBend(owner, points, [0, 0, 1], geometry));
  expect(find("instance-1", grid)).toBeNull();
  expect(find("instance-2", grid)).toBeUndefined();
  expect(find("instance-1", { ...grid, direction: [1, 0, 0, 0, -1, 0, 0, 0, -1] })).toBeUndefined();
});
