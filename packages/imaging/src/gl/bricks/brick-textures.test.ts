import { expect, it } from "vitest";
import { layOutAtlas } from "./brick-textures.ts";

const countSlots = (...[count, allowed, side]: Parameters<typeof layOutAtlas>) =>
  layOutAtlas(count, allowed, side).reduce((product, length) => product * length, 1);

it("gives every brick a slot where the allowed bytes and the sides of a texture suffice", () => {
  expect([24, 36, 64].map((count) => countSlots(count, count, 64))).toEqual([24, 36, 64]);
  expect(layOutAtlas(64, 64, 64)).toEqual([4, 4, 4]);
  // 67 is prime and exceeds a side: one slot more stays empty.
  expect(countSlots(67, 4000, 64)).toBe(68);
});

it("uses almost all of the allowed slots, and never more, where they do not suffice", () => {
  for (const allowed of [1, 5, 67, 1953, 3906]) {
    const slots = countSlots(14_580, allowed, 64);
    expect(slots).toBeGreaterThan(0.98 * allowed);
    expect(slots).toBeLessThanOrEqual(allowed);
  }
  expect([countSlots(100, 0, 64), Math.max(...layOutAtlas(14_580, 3906, 8))]).toEqual([0, 8]);
});
