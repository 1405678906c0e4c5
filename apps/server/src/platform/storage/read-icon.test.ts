import { describe, expect, it } from "vitest";
import { readIcon } from "./read-icon.ts";

const u16 = (value: number) => [value & 255, value >> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** Creates an icon file of these images, each with the side that its entry names. */
const iconOf = (...pictures: { side: number; bits: number; bytes: number[] }[]): Uint8Array => {
  let start = 6 + 16 * pictures.length;
  const entries = pictures.flatMap(({ side, bits, bytes }) => {
    const entry = [side & 255, side & 255, 0, 0, ...u16(1), ...u16(bits), ...u32(bytes.length), ...u32(start)];
    start += bytes.length;
    return entry;
  });
  return Uint8Array.from([0, 0, 1, 0, ...u16(pictures.length), ...entries, ...pictures.flatMap(({ bytes }) => bytes)]);
};
const bitmap = (width: number, height: number, bits: number, rest: number[]): number[] => [
  ...[40, width, height * 2].flatMap(u32),
  ...[1, bits].flatMap(u16),
  ...Array<number>(24).fill(0),
  ...rest,
];
const [red, green, clear] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 0, 0],
];

describe("an icon", () => {
  it("is read from 32 bits a pixel, from its lowest row upwards", () => {
    const file = iconOf({ side: 2, bits: 32, bytes: bitmap(1, 2, 32, [0, 255, 0, 255, 0, 0, 255, 255]) });
    expect(readIcon(file)).toEqual({ width: 1, height: 2, rgba: Uint8Array.from([...red, ...green]) });
  });

  it("is read from a palette of 1, 4 and 8 bits, with the mask that makes pixels clear", () => {
    const palette = [0, 0, 255, 0, 0, 255, 0, 0];
    for (const [bits, pixels] of [
      [1, 0b01000000],
      [4, 0x01],
    ] as const) {
      const rest = [...palette, ...Array<number>(2 ** bits * 4 - 8).fill(0), pixels, 0, 0, 0, 0b10000000, 0, 0, 0];
      expect(readIcon(iconOf({ side: 2, bits, bytes: bitmap(2, 1, bits, rest) }))).toEqual({
        width: 2,
        height: 1,
        rgba: Uint8Array.from([255, 0, 0, 0, ...green]),
      });
    }
    const eight = [...palette, ...Array<number>(254 * 4).fill(0), 1, 0, 0, 0, 0, 0, 0, 0];
    expect(readIcon(iconOf({ side: 2, bits: 8, bytes: bitmap(2, 1, 8, eight) }))).toMatchObject({
      rgba: Uint8Array.from([...green, ...red]),
    });
  });

  it("is read from 24 bits also where the mask was left out", () => {
    const file = iconOf({ side: 1, bits: 24, bytes: bitmap(1, 1, 24, [0, 255, 0, 0]) });
    expect(readIcon(file)).toMatchObject({ rgba: Uint8Array.from(green) });
    const masked = iconOf({ side: 1, bits: 24, bytes: bitmap(1, 1, 24, [0, 0, 0, 0, 128, 0, 0, 0]) });
    expect(readIcon(masked)).toMatchObject({ rgba: Uint8Array.from(clear) });
  });

  it("yields its largest image, a side of 256 being written as 0, and a PNG unchanged", () => {
    const png = [0x89, 0x50, 0x4e, 0x47, 1, 2, 3];
    const small = { side: 16, bits: 32, bytes: bitmap(1, 1, 32, [0, 0, 255, 255]) };
    expect(readIcon(iconOf(small, { side: 256, bits: 32, bytes: png }))).toEqual({ png: Uint8Array.from(png) });
  });

  it("is refused where it is cut off, empty, compressed, or no icon", () => {
    const whole = iconOf({ side: 2, bits: 32, bytes: bitmap(1, 2, 32, [0, 255, 0, 255, 0, 0, 255, 255]) });
    for (let end = 0; end < whole.length; end++)
      expect(() => readIcon(whole.slice(0, end)), `${end}`).toThrow(RangeError);
    expect(() => readIcon(Uint8Array.from([0, 0, 1, 0, 0, 0]))).toThrow("no picture");
    expect(() => readIcon(Uint8Array.from([0, 0, 2, 0, 1, 0]))).toThrow("not an icon");
    const compressed = whole.slice();
    compressed[22 + 16] = 1;
    expect(() => readIcon(compressed)).toThrow("unusual");
    const huge = whole.slice();
    huge[22 + 6] = 255;
    expect(() => readIcon(huge)).toThrow("no such size");
  });
});
