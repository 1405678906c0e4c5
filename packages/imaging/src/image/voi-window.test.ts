import { describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createRandom } from "@arcada/phantom/math/random";
import {
  computeAutoWindow,
  computeHistogram,
  findRange,
  sampleValues,
  toGrey8,
  buildToneTable,
  computeVolumeWindow,
} from "./voi-window.ts";

const shown = (values: number[], center: number, width: number, inverted = false) => [
  ...toGrey8({ data: Int16Array.from(values) }, { center, width, inverted }),
];

/** Random values of each type, within narrow and whole ranges, in views that do not begin with their memory. */
function makeValueSets(): (Int16Array | Uint16Array | Int32Array)[] {
  const random = createRandom("ranges");
  const ranges = [
    [-32768, 32767],
    [0, 65535],
    [-1, 0],
    [-5, 250],
    [32000, 33000],
    [65535, 65535],
  ] as const;
  const filled = ranges.flatMap(([low, high]) =>
    [Int16Array, Uint16Array, Int32Array].flatMap((type) => {
      const values = Array.from({ length: 500 }, () => Math.floor(random.between(low, high + 1)));
      return [values, values.toSorted((a, b) => a - b), values.toSorted((a, b) => b - a)].map((some) =>
        type.from([7, ...some]).subarray(1),
      );
    }),
  );
  return [...filled, Int16Array.of(32767, -32768), Uint16Array.of(65535, 0), Int32Array.of(2 ** 31 - 1, -(2 ** 31))];
}

describe("grey values on a screen", () => {
  it("follow the linear function of the standard at its ends", () => {
    // PS3.3 C.11.2.1.2.1, its own examples: black up to 0 and white above 4095; black up to -100.5, white above 99.
    expect(shown([-1, 0, 1, 4094, 4095, 4096], 2048, 4096)).toEqual([0, 0, 0, 255, 255, 255]);
    expect(shown([-101, -100, -99, 0, 99, 100], 0, 200)).toEqual([0, 0, 1, 128, 255, 255]);
    expect(shown([-1, 0], 0, 1)).toEqual([0, 255]);
  });

  it("turn black to white when low values are to be white", () => {
    expect(shown([-100, 0, 99], 0, 200, true)).toEqual([255, 127, 0]);
  });

  it("are windowed without the unexposed and the saturated part of a plate", () => {
    const plate = Uint16Array.from({ length: 10000 }, (_, at) =>
      at < 4000 ? 0 : at < 5000 ? 4095 : 1000 + (at % 500),
    );
    const { center, width } = computeAutoWindow(plate);
    expect(center - width / 2).toBeGreaterThanOrEqual(1000);
    expect(center + width / 2).toBeLessThanOrEqual(1500);
    expect(width).toBeGreaterThan(480);
  });

  it("have a window even when all are the same", () => {
    expect(computeAutoWindow(new Uint16Array(100).fill(7)).width).toBeGreaterThanOrEqual(2);
  });

  it("are counted one by one, or in whole steps when the range is wide", () => {
    expect(computeHistogram(Int16Array.of(-2, 0, 0, 1))).toEqual({
      min: -2,
      step: 1,
      counts: Uint32Array.of(1, 0, 2, 1),
    });
    expect(computeHistogram(Int16Array.of(-32768, 32767), 256).counts.length).toBe(256);
  });

  it("have the range and the counts of a plain search, whatever their type, in any order and at the ends of it", () => {
    for (const data of makeValueSets()) {
      const values = Array.from<number>(data);
      const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
      expect(findRange(data)).toEqual({ min, max });
      for (const bins of [2, 300, 65536]) {
        const step = Math.ceil((max - min + 1) / bins);
        const plain = new Map<number, number>();
        for (const value of data) {
          const bin = Math.floor((value - min) / step);
          plain.set(bin, (plain.get(bin) ?? 0) + 1);
        }
        const { counts, ...rest } = computeHistogram(data, bins);
        expect(rest).toEqual({ min, step });
        expect(counts.length).toBe(Math.floor((max - min) / step) + 1);
        expect(new Map([...counts.entries()].filter(([, count]) => count > 0))).toEqual(plain);
      }
    }
    expect(findRange(new Int16Array())).toEqual({ min: 0, max: 0 });
    expect(computeHistogram(new Uint16Array())).toEqual({ min: 0, step: 1, counts: Uint32Array.of(0) });
  });

  it("come nearer to white by a gamma above 1, whichever way they are shown; black and white stay", () => {
    for (const inverted of [false, true]) {
      const [plain, light] = [1, 2].map((gamma) =>
        buildToneTable({ center: 128, width: 256, inverted, gamma }, 0, 255),
      );
      light.forEach((shade, at) => expect(shade).toBe(Math.round(255 * Math.sqrt(plain[at] / 255))));
      expect([light[0], light[255]]).toEqual(inverted ? [255, 0] : [0, 255]);
    }
  });

  it("are sampled all over an image, and windowed by the sample as by all of it", () => {
    const plate = Uint16Array.from(
      { length: 1024 * 128 },
      (_, at) => 500 + (((at % 1024) * 3 + Math.floor(at / 1024)) % 3000),
    );
    const some = sampleValues(plate, 1 << 14);
    expect(some.length).toBeLessThanOrEqual(1 << 14);
    const [all, few] = [computeAutoWindow(plate), computeAutoWindow(some)];
    expect(Math.abs(all.center - few.center)).toBeLessThan(15);
    expect(Math.abs(all.width - few.width)).toBeLessThan(30);
  });

  it("tell dentine and enamel of a drawn CBCT apart", () => {
    const { data } = createCbctVolume(makeHead("window"), { columns: 64, rows: 64, slices: 40, voxel: 2.4 });
    const { center, width } = computeVolumeWindow(data);
    const [dentine, enamel] = shown([1400, 2100], center, width);
    expect(enamel - dentine).toBeGreaterThan(25);
  });
});
