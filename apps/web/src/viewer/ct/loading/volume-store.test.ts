import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { expect, it } from "vitest";
import type { VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import { downsampleGeometry } from "./texture-size.ts";
import { VolumeStore } from "./volume-store.ts";

const whole: VolumeInfo = {
  columns: 8,
  rows: 6,
  slices: 4,
  spacing: [0.5, 0.5, 0.5],
  origin: [0, 0, 0],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  min: 0,
  max: 4000,
  valueOffset: -1000,
  valueScale: 1,
  window: { center: 500, width: 1000 },
  valueName: "grey",
};
const half: VolumeInfo = { ...whole, ...downsampleGeometry(whole, 2) };

it("reads a large volume at half resolution, and reports that, until the visible slice is loaded in full", () => {
  const store = new VolumeStore(half, 0, 1, whole);
  const size = half.columns * half.rows;
  const notifications: number[] = [];
  store.onChange(() => notifications.push(store.version));
  const halves = new Uint16Array(size * 2);
  store.putGroup(0, { id: 0, values: new Int16Array(size * 2).fill(1500), halves, count: 2 });
  const at = [1, 1, 0.5] as const;
  expect([store.isHalf, store.valueAt([...at])]).toEqual([true, { value: 500, isMean: true }]);
  const slice = Int16Array.from({ length: 8 * 6 }, (_, place) => place);
  store.putFullResolution(1, { id: 1, values: slice, halves: new Uint16Array(48), count: 1 });
  // Row 2, column 2 of slice 1.
  expect(store.valueAt([...at])).toEqual({ value: 18 - 1000, isMean: false });
  expect([store.hasFullResolution(1), store.hasFullResolution(2), store.valueAt([1, 1, 1.5])?.isMean]).toEqual([
    true,
    false,
    true,
  ]);
  expect(notifications.length).toBe(2);
});

it("ignores slices that do not fit into GPU memory; a new renderer without space keeps the preview and reports it", () => {
  const store = new VolumeStore(whole, 0, 1);
  const size = whole.columns * whole.rows;
  const group = { id: 0, values: new Int16Array(size * 4), halves: new Uint16Array(size * 4), count: 4 };
  const full = () => {
    throw new RangeError("no room");
  };
  const renderer = (putSlices: () => void) => ({ setPreview: () => {}, putSlices }) as unknown as VolumeRenderer;
  store.attach(renderer(full));
  expect(() => store.putGroup(0, group)).toThrow(RangeError);
  expect([store.slices, store.grid]).toEqual([0, null]);
  store.attach(renderer(() => {}));
  store.putGroup(0, group);
  expect([store.slices, store.isOutOfMemory]).toEqual([4, false]);
  store.attach(renderer(full));
  expect([store.isOutOfMemory, store.valueAt([1, 1, 1])]).toEqual([true, { value: -1000, isMean: false }]);
  store.attach(renderer(() => {}));
  expect(store.isOutOfMemory).toBe(false);
});

it("gives a renderer its lossless values as they arrive if the texture is coarser, and none otherwise", () => {
  const [coarse, same] = [new VolumeStore(whole, 0, 2), new VolumeStore(whole, 0, 1)];
  const values = Int16Array.from({ length: 8 * 6 * 2 }, (_, at) => at);
  coarse.putGroup(2, { id: 0, values, halves: new Uint16Array(4 * 3), count: 2 });
  expect([same.whole, coarse.whole?.size, coarse.whole?.factor]).toEqual([null, [8, 6, 4], 2]);
  expect([coarse.whole?.read(1, 3), coarse.whole?.read(2, 3)?.[2 * 48 + 5]]).toEqual([null, 5]);
});

it("holds no values after its release, and can be loaded again", () => {
  const store = new VolumeStore(whole, 0, 1);
  const values = new Int16Array(8 * 6 * 4).fill(7);
  const group = { id: 0, values, halves: new Uint16Array(8 * 6 * 4), count: 4 };
  store.putGroup(0, group);
  store.release();
  expect([store.slices, store.grid, store.valueAt([1, 1, 1])]).toEqual([0, null, null]);
  store.putGroup(0, group);
  expect([store.slices, store.grid?.isWhole]).toEqual([4, true]);
});
