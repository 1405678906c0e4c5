import { describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { present } from "@arcada/testing/require-present";
import { buildPreview } from "../volume/volume-preview.ts";
import { outsideValue } from "../volume/trilinear-sampler.ts";
import type { VolumeInfo } from "../volume/volume.ts";
import {
  decodeArchImages,
  encodeArchImages,
  renderArchImages,
  resampleSlabImage,
  type SlabImage,
  describeArchImageSource,
} from "./arch-images.ts";
import { defaultJaw } from "./arch-display-settings.ts";
import { guessArch } from "./detection/detect-arches.ts";

const size = { columns: 160, rows: 160, slices: 100, voxel: 0.96 };
const { origin, data } = createCbctVolume(makeHead("arch images"), size);
const info: VolumeInfo = {
  ...size,
  spacing: [size.voxel, size.voxel, size.voxel],
  origin: [...origin],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  min: -1000,
  max: 4000,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 1000, width: 4000 },
  valueName: "grey",
};
const preview = buildPreview(info, data, 2);
const guess = present(guessArch(preview.info, preview.data));
const images = present(renderArchImages(info, preview, { points: guess[defaultJaw], up: guess.up }));

/** The whole file as bytes that nobody else holds. */
const encode = (): ArrayBuffer => Uint8Array.from(encodeArchImages(images)).buffer;

describe("the images of an arch", () => {
  it("come out of their file as they went in", () => {
    // JSON has no negative zero.
    const bend = { ...images.bend, out: images.bend?.out.map((mm) => mm + 0) };
    expect(decodeArchImages(encode())).toEqual({ ...images, bend });
  });

  it("are refused if their file is cut or is longer than its header says", () => {
    const whole = encode();
    const longer = Uint8Array.from([...new Uint8Array(whole), 0, 0]).buffer;
    for (const bytes of [whole.slice(0, 2), whole.slice(0, 40), whole.slice(0, -2), longer])
      expect(() => decodeArchImages(bytes)).toThrow(/./);
  });

  it("are refused if a number of their header is none that an image can have", () => {
    const withHeader = (part: string, change: object): ArrayBuffer => {
      const bytes = new Uint8Array(encode());
      const length = new DataView(bytes.buffer).getUint32(0, true);
      const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Record<string, object>;
      Object.assign(present(header[part]), change);
      const json = new TextEncoder().encode(JSON.stringify(header).padEnd(length + (length % 2), " "));
      const whole = Uint8Array.from([
        ...new Uint8Array(Uint32Array.of(json.length).buffer),
        ...json,
        ...bytes.subarray(4 + length),
      ]);
      return whole.buffer;
    };
    expect(() => decodeArchImages(withHeader("panorama", {}))).not.toThrow();
    for (const [part, change] of [
      ["panorama", { columns: 1.5 }],
      ["panorama", { pixel: 0 }],
      ["crossSections", { rows: 0, count: 4e9 }],
      ["bend", { out: [1] }],
    ] as const)
      expect(() => decodeArchImages(withHeader(part, change))).toThrow("no images of an arch");
  });

  it("say which arch they show", () => {
    const line = { points: guess[defaultJaw], up: guess.up };
    const { source } = decodeArchImages(encode());
    expect(source).toBe(describeArchImageSource(line));
    const [first, ...others] = line.points;
    const moved = { ...line, points: [[present(first)[0] + 0.1, ...present(first).slice(1)] as never, ...others] };
    expect(describeArchImageSource(moved)).not.toBe(source);
  });

  it("are at most 480 pixels wide and 360 high for an arch of any length", () => {
    const far = guess[defaultJaw].map(([x, y, z]) => [3 * x, 3 * y, z] as const);
    const { panorama } = present(renderArchImages(info, preview, { points: far, up: guess.up }));
    expect(panorama.columns).toBeGreaterThan(470);
    expect(panorama.columns).toBeLessThanOrEqual(480);
    expect(panorama.rows).toBeLessThanOrEqual(360);
  });
});

describe("an image of a slab in another view", () => {
  /** Grows by 10 for each mm to the right, and by 20 for each mm upwards. */
  const truth = (right: number, up: number) => 10 * right + 20 * up;
  const image: SlabImage = { columns: 41, rows: 31, middle: [7, -3], pixel: 0.5, values: new Int16Array(41 * 31) };
  for (let row = 0; row < 31; row++)
    for (let column = 0; column < 41; column++)
      image.values[row * 41 + column] = truth(7 + (column - 20) * 0.5, -3 + (15 - row) * 0.5);

  it("has at each pixel the value of that place, and none beyond the image", () => {
    const view = { columns: 30, rows: 26, middle: [9, -1] as const, pixel: 0.7 };
    const values = resampleSlabImage(image, view);
    for (let row = 0; row < view.rows; row++)
      for (let column = 0; column < view.columns; column++) {
        const [right, up] = [9 + (column - 14.5) * 0.7, -1 + (12.5 - row) * 0.7];
        const isInside = Math.abs(right - 7) <= 10 && Math.abs(up + 3) <= 7.5;
        const value = values[row * view.columns + column];
        if (isInside) expect(Math.abs(value - truth(right, up))).toBeLessThanOrEqual(1);
        else expect(value).toBe(outsideValue);
      }
  });

  it("mixes no pixel of the volume with one outside of it", () => {
    const values = Int16Array.from(image.values, (value, at) => (at % 41 < 20 ? outsideValue : value));
    const sampled = resampleSlabImage({ ...image, values }, { columns: 60, rows: 9, middle: [7, -3], pixel: 0.3 });
    const inside = sampled.filter((value) => value !== outsideValue);
    expect(inside.length).toBeGreaterThan(100);
    expect(Math.min(...inside)).toBeGreaterThan(truth(7, -3) - 60);
  });
});
