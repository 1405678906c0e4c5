import { expect, it } from "vitest";
import { chooseHalfFloatOffset, toHalfFloat, toHalfFloats, createHalfFloatTable } from "./half-float.ts";

const valueOf = (bits: number): number => {
  const exponent = (bits >> 10) & 31;
  const size = exponent === 0 ? 0 : 2 ** (exponent - 15) * (1 + (bits & 1023) / 1024);
  return bits & 0x8000 ? -size : size;
};

it("keeps 4096 grey values apart exactly, from the lowest on", () => {
  const offset = chooseHalfFloatOffset(-1000, 3095);
  const table = createHalfFloatTable(offset);
  for (let grey = -1000; grey <= 3095; grey++) expect(valueOf(table[grey & 0xffff]) + offset).toBe(grey);
});

it("rounds to the nearest value it can hold, and never runs over", () => {
  expect(valueOf(toHalfFloat(2049))).toBe(2048);
  expect(valueOf(toHalfFloat(2051))).toBe(2052);
  expect(valueOf(toHalfFloat(4095.9))).toBe(4096);
  expect(valueOf(toHalfFloat(-70000))).toBe(-65504);
  expect(toHalfFloat(0)).toBe(0);
});

it("converts grey values in their order", () => {
  const halves = toHalfFloats(Int16Array.of(-1000, 7, 3095), createHalfFloatTable(7));
  expect([...halves].map(valueOf)).toEqual([-1007, 0, 3088]);
});
