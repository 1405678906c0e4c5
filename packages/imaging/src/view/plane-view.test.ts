import { describe, expect, it } from "vitest";
import {
  directionLetters,
  patientToVoxel as toVoxel,
  voxelToPatient as toPatient,
} from "../volume/voxel-to-patient.ts";
import {
  getSliceDepth,
  fitPlaneView,
  mapViewportToTexture,
  viewportToPatient,
  patientToViewport,
  anatomicalPlanes,
  getSliceIndex,
  findStoredSlice,
  snapToSlices,
  getSliceStack,
  zoomPlaneView,
} from "./plane-view.ts";
import { distance, type Vector } from "../geometry/vector.ts";
import { getMiddleVoxelPoint, findVoxel, type VolumeGeometry } from "../volume/volume-geometry.ts";

const straight: VolumeGeometry = {
  columns: 40,
  rows: 50,
  slices: 30,
  spacing: [0.3, 0.3, 0.5],
  origin: [-10, -20, 100],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};
/** Stored from the head down, so that slices go to −z and columns to the right side of the patient. */
const reversed: VolumeGeometry = { ...straight, direction: [-1, 0, 0, 0, 1, 0, 0, 0, -1] };
const [cos, sin] = [Math.cos(0.35), Math.sin(0.35)];
const oblique: VolumeGeometry = { ...straight, direction: [cos, sin, 0, -sin, cos, 0, 0, 0, 1] };
const near = (point: readonly number[], expected: readonly number[]) =>
  point.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 6));

describe("a volume in patient space", () => {
  it.each([
    ["straight", straight],
    ["reversed", reversed],
    ["oblique", oblique],
  ])("finds the voxel of a point and the point of a voxel (%s)", (_name, volume) => {
    near(toVoxel(volume, toPatient(volume, [7, 11, 13])), [7, 11, 13]);
  });

  it("orients the columns' axis by the volume's direction", () => {
    near(toPatient(oblique, [10, 0, 0]), [-10 + 3 * cos, -20 + 3 * sin, 100]);
  });

  it("has the same length in mm however it lies", () => {
    const lengths = [straight, reversed, oblique].map((volume) =>
      distance(toPatient(volume, [1, 2, 3]), toPatient(volume, [11, 22, 23])),
    );
    for (const length of lengths) expect(length).toBeCloseTo(Math.hypot(3, 6, 10), 9);
  });

  it("holds no value outside", () => {
    expect(findVoxel(straight, [-10.16, -20, 100])).toBeNull();
    expect(findVoxel(straight, [-9.7, -19.4, 101])).toEqual([1, 2, 2]);
  });
});

describe("the three planes", () => {
  it.each([
    ["axial", "L", "P", "H"],
    ["coronal", "L", "F", "P"],
    ["sagittal", "P", "F", "R"],
  ] as const)("show the %s plane with the orientation letters of radiology", (name, right, down, away) => {
    const plane = anatomicalPlanes[name];
    expect([directionLetters(plane.right), directionLetters(plane.down), directionLetters(plane.away)]).toEqual([
      right,
      down,
      away,
    ]);
  });

  it("step through the middles of voxels", () => {
    expect(getSliceStack(straight, anatomicalPlanes.axial)).toMatchObject({ from: 100, step: 0.5, count: 30 });
    expect(getSliceStack(straight, anatomicalPlanes.coronal)).toMatchObject({ count: 50 });
    const sagittal = getSliceStack(reversed, anatomicalPlanes.sagittal);
    expect(sagittal.count).toBe(40);
    // The plane steps towards the patient's right: its first slice is the leftmost column, x = −10.
    expect(getSliceDepth(sagittal, 0)).toBeCloseTo(10, 9);
    expect(getSliceIndex(sagittal, 10 + 5 * 0.3)).toBe(5);
  });

  it("snap a point to the middle of its voxel", () => {
    near(
      toVoxel(straight, snapToSlices(straight, Object.values(anatomicalPlanes), toPatient(straight, [3.4, 8.7, 12.2]))),
      [3, 9, 12],
    );
    near(
      toVoxel(reversed, snapToSlices(reversed, Object.values(anatomicalPlanes), toPatient(reversed, [3.4, 8.7, 12.2]))),
      [3, 9, 12],
    );
  });

  it("show a slice as it was taken where they go through its middle, not across or between slices", () => {
    expect(findStoredSlice(straight, anatomicalPlanes.axial, [0, 0, 106])).toBe(12);
    expect(findStoredSlice(reversed, anatomicalPlanes.axial, [0, 0, 94])).toBe(12);
    expect(findStoredSlice(straight, anatomicalPlanes.axial, [0, 0, 106.25])).toBeNull();
    expect(findStoredSlice(straight, anatomicalPlanes.axial, [0, 0, 99])).toBeNull();
    expect(findStoredSlice(straight, anatomicalPlanes.coronal, [0, 0, 106])).toBeNull();
  });

  it("map a viewport's point to the patient and back", () => {
    const viewport = { width: 300, height: 200 };
    const view = fitPlaneView(oblique, anatomicalPlanes.coronal, viewport);
    const point = viewportToPatient(anatomicalPlanes.coronal, view, viewport, [70, 150], -4);
    near(patientToViewport(anatomicalPlanes.coronal, view, viewport, point), [70, 150]);
    const closer = zoomPlaneView(view, viewport, [70, 150], 3);
    near(patientToViewport(anatomicalPlanes.coronal, closer, viewport, point), [70, 150]);
  });

  it.each([
    ["straight", straight],
    ["reversed", reversed],
    ["oblique", oblique],
  ])("read the texture at the voxel under a viewport's point (%s)", (_name, volume) => {
    const viewport = { width: 320, height: 240 };
    const view = fitPlaneView(volume, anatomicalPlanes.sagittal, viewport);
    const middle = getMiddleVoxelPoint(volume);
    const depth = -middle[0];
    const texture = mapViewportToTexture(volume, anatomicalPlanes.sagittal, view, viewport, depth);
    const at: [number, number] = [40, 200];
    const [u, v] = [at[0] / 160 - 1, at[1] / 120 - 1];
    const read = ([0, 1, 2] as const).map(
      (axis) => texture.at[axis] + u * texture.across[axis] + v * texture.down[axis] + 2 * texture.away[axis],
    );
    const voxel = toVoxel(volume, viewportToPatient(anatomicalPlanes.sagittal, view, viewport, at, depth + 2));
    const sizes: Vector = [volume.columns, volume.rows, volume.slices];
    near(
      read,
      ([0, 1, 2] as const).map((axis) => (voxel[axis] + 0.5) / sizes[axis]),
    );
  });
});
