import { describe, expect, it } from "vitest";
import { readStl } from "../mesh/read-stl.ts";
import { computeBounds, computeEnclosedVolume, weld, type Mesh } from "../mesh/mesh.ts";
import { writeStl } from "../mesh/write-mesh.ts";
import { distance, lengthOf, type Vector } from "../geometry/vector.ts";
import { ConnectedComponents } from "./voxel-connected-components.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { IsosurfaceBuilder } from "./isosurface-builder.ts";
import { createBodyGrid, createTiltedGeometry } from "./synthetic-grid.ts";
import { smoothMesh } from "./smooth-mesh.ts";
import { present } from "@arcada/testing/require-present";

const geometry = createTiltedGeometry([70, 64, 58], [0.4, 0.4, 0.5]);

function surfaceOf({ info, data }: VoxelGrid, isLargest = false): Mesh {
  const size = info.columns * info.rows;
  const slice = (at: number) => data.subarray(at * size, (at + 1) * size);
  const bodies = new ConnectedComponents(info.columns, info.rows, 500);
  for (let at = 0; isLargest && at < info.slices; at++) bodies.addSlice(slice(at));
  const body = bodies.findLargest();
  const surface = new IsosurfaceBuilder(info, 500);
  for (let at = 0; at < info.slices; at++)
    surface.addSlice(slice(at), isLargest ? bodies.getSliceMask(at, body) : undefined);
  return surface.finish();
}

/** Every edge is passed as often in one direction as in the other: no hole, and every side faces outwards. */
function isWatertight({ indices }: Mesh): boolean {
  const edges = new Map<string, number>();
  for (let at = 0; at < indices!.length; at++) {
    const [a, b] = [indices![at], indices![at % 3 === 2 ? at - 2 : at + 1]];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  return edges.size > 0 && [...edges.values()].every((sum) => sum === 0);
}

const ball = (middle: Vector, radius: number) => (point: Vector) => radius - distance(point, middle);
const box = (half: Vector) => (point: Vector) => Math.min(...half.map((end, axis) => end - Math.abs(point[axis])));

describe("the surface of voxels denser than a threshold", () => {
  it("is closed and encloses a sphere's and a box's volume within 1 %, also smoothed", () => {
    const sphere = surfaceOf(createBodyGrid(geometry, ball([1, -0.5, 0.7], 8)));
    const cube = surfaceOf(createBodyGrid(geometry, box([7, 5, 6])));
    for (const [mesh, truth] of [
      [sphere, (4 / 3) * Math.PI * 8 ** 3],
      [cube, 14 * 10 * 12],
    ] as const)
      for (const rounds of [0, 5]) {
        const made = smoothMesh(mesh, rounds);
        expect(isWatertight(made)).toBe(true);
        expect(Math.abs(computeEnclosedVolume(made) / truth - 1)).toBeLessThan(0.01);
      }
    for (let at = 0; at < sphere.positions.length; at += 3) {
      const [x, y, z] = sphere.positions.subarray(at, at + 3);
      expect(Math.abs(distance([x, y, z], [1, -0.5, 0.7]) - 8)).toBeLessThan(0.1);
    }
  });

  it("is closed at the edge of the volume, where a body continues beyond it", () => {
    const mesh = surfaceOf(createBodyGrid(geometry, () => 5));
    expect(isWatertight(mesh)).toBe(true);
    const truth = 70 * 0.4 * 64 * 0.4 * 58 * 0.5;
    expect(Math.abs(computeEnclosedVolume(mesh) / truth - 1)).toBeLessThan(0.01);
  });

  it("is that of the largest body alone where the rest is noise", () => {
    const two = createBodyGrid(geometry, (point) => Math.max(ball([-4, 0, 0], 5)(point), ball([7, 0, 0], 3)(point)));
    expect(computeEnclosedVolume(surfaceOf(two, true)) / ((4 / 3) * Math.PI * 125)).toBeCloseTo(1, 1);
    expect(computeBounds(surfaceOf(two, true)).max[0]).toBeLessThan(1.2);
    expect(computeBounds(surfaceOf(two)).max[0]).toBeGreaterThan(9.8);
    // A ring is one body, though each of its rows has two separate parts.
    const ring = createBodyGrid(geometry, (point) => 2 - Math.hypot(Math.hypot(point[0], point[2]) - 7, point[1]));
    const all = computeEnclosedVolume(surfaceOf(ring));
    expect(all / (2 * Math.PI ** 2 * 7 * 4)).toBeCloseTo(1, 1);
    expect(computeEnclosedVolume(surfaceOf(ring, true))).toBeCloseTo(all, 3);
  });

  it("comes out of its STL file as it went in", () => {
    const mesh = surfaceOf(createBodyGrid(geometry, (point) => 6 - lengthOf(point)));
    const read = weld(readStl(writeStl(mesh, "Arcada LPS mm")));
    expect(read.indices?.length).toBe(present(mesh.indices, "indices").length);
    expect(computeEnclosedVolume(read)).toBeCloseTo(computeEnclosedVolume(mesh), 3);
  });
});
