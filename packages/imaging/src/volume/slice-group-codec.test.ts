import { describe, expect, it } from "vitest";
import { voxelToPatient } from "./voxel-to-patient.ts";
import { buildPreview } from "./volume-preview.ts";
import { decodeSliceGroup, encodeSliceGroup } from "./slice-group-codec.ts";
import type { VolumeInfo } from "./volume.ts";

const info = (columns: number, rows: number, slices: number): VolumeInfo => ({
  columns,
  rows,
  slices,
  spacing: [0.5, 0.4, 0.3],
  origin: [1, 2, 3],
  direction: [0, 1, 0, -1, 0, 0, 0, 0, 1],
  min: -32768,
  max: 32767,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 0, width: 100 },
  valueName: "grey",
});

/** Linear congruential: the same noise on every machine. */
function noise(length: number, seed: number): Int16Array {
  let state = seed;
  return Int16Array.from({ length }, () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) >> 16);
}

describe("a group of slices on its way to the browser", () => {
  it("arrives bit for bit, the lowest and highest values too", async () => {
    const slices = [
      noise(37 * 23, 1),
      noise(37 * 23, 2),
      new Int16Array(37 * 23).fill(-32768),
      Int16Array.from({ length: 37 * 23 }, (_, at) => (at % 2 ? 32767 : -32768)),
    ];
    const group = await encodeSliceGroup(slices, info(37, 23, 4));
    expect(await decodeSliceGroup(group)).toEqual(slices);
    const together = new Int16Array(4 * 37 * 23).fill(1);
    await decodeSliceGroup(group, () => together);
    expect(together).toEqual(Int16Array.from(slices.flatMap((slice) => [...slice])));
    const tooLong = decodeSliceGroup(group, () => new Int16Array(5 * 37 * 23));
    await expect(tooLong).rejects.toMatchObject({ reason: "unsupported" });
  });

  it("is refused when it is cut, foreign or of a later version", async () => {
    const whole = await encodeSliceGroup([noise(64, 3)], info(8, 8, 1));
    await expect(decodeSliceGroup(whole.subarray(0, whole.length - 1))).rejects.toMatchObject({ reason: "truncated" });
    await expect(decodeSliceGroup(whole.subarray(4))).rejects.toMatchObject({ reason: "unsupported" });
    const later = Uint8Array.from(whole);
    later[4] = 2;
    await expect(decodeSliceGroup(later)).rejects.toMatchObject({ reason: "unsupported" });
  });

  it("does not fill the memory over many groups", async () => {
    const group = await encodeSliceGroup(
      Array.from({ length: 8 }, (_, seed) => noise(64 * 64, seed)),
      info(64, 64, 8),
    );
    for (let turn = 0; turn < 5; turn++) await decodeSliceGroup(group);
    const before = process.memoryUsage().arrayBuffers;
    for (let turn = 0; turn < 60; turn++) await decodeSliceGroup(group);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });
});

describe("the preview of a volume", () => {
  it("is the mean of boxes, smaller ones at the far edges, and has the same position", () => {
    const full = info(6, 4, 5);
    const data = Int16Array.from(
      { length: 6 * 4 * 5 },
      (_, at) => (at % 6 < 4 ? -100 : 50) + (at >= 6 * 4 * 4 ? 1000 : 0),
    );
    const preview = buildPreview(full, data, 4);
    expect(preview.info).toMatchObject({
      columns: 2,
      rows: 1,
      slices: 2,
      spacing: [2, 1.6, 1.2],
      min: -100,
      max: 1050,
    });
    expect(preview.data).toEqual(Int16Array.of(-100, 50, 900, 1050));
    const near = (point: readonly number[]) => point.map((value) => Number(value.toFixed(9)));
    expect(near(voxelToPatient(preview.info, [0, 0, 0]))).toEqual(near(voxelToPatient(full, [1.5, 1.5, 1.5])));
  });
});
