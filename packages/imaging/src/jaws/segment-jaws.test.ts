import { describe, expect, it } from "vitest";
import { fillShells } from "./fill-shells.ts";
import { measureLengthOutsideJaw } from "./length-outside-jaw.ts";
import { outlineInPlane } from "./outline-in-plane.ts";
import type { JawBody } from "./segment-jaws.ts";
import { splitAtNecks } from "./split-at-necks.ts";
import type { VoxelMask } from "./voxel-mask.ts";

const side = 40;
const draw = (isInside: (x: number, y: number, z: number) => boolean): VoxelMask => {
  const inside = new Uint8Array(side ** 3);
  for (let at = 0; at < inside.length; at++)
    inside[at] = isInside(at % side, Math.floor(at / side) % side, Math.floor(at / side ** 2)) ? 1 : 0;
  return { columns: side, rows: side, slices: side, inside };
};
const far = (x: number, y: number, z: number, from = 20): number => Math.hypot(x - from, y - 20, z - 20);
const at = (x: number, y: number, z: number): number => x + side * (y + side * z);
const nowhere = (): boolean => false;

describe("the shells of bone", () => {
  const shell = draw((x, y, z) => far(x, y, z) < 10 && far(x, y, z) > 7 && !(x > 20 && Math.hypot(y - 20, z - 20) < 2));

  it("are filled though a nerve opens them", () => {
    expect(fillShells(shell, { widest: 8, isAir: nowhere }).inside[at(20, 20, 20)]).toBe(1);
  });

  it("stay hollow around air, and where they are wider than marrow", () => {
    expect(fillShells(shell, { widest: 8, isAir: () => true }).inside).toEqual(shell.inside);
    expect(fillShells(shell, { widest: 4, isAir: nowhere }).inside[at(20, 20, 20)]).toBe(0);
  });
});

describe("two bodies that touch", () => {
  it("are parted at the neck between them, however near one seed is to it", () => {
    const mask = draw((x, y, z) => far(x, y, z, 12) < 9 || far(x, y, z, 28) < 9);
    const seeds = new Uint8Array(mask.inside.length);
    seeds[at(19, 20, 20)] = 1;
    seeds[at(30, 20, 20)] = 2;
    const labels = splitAtNecks(mask, seeds);
    expect([5, 12, 18, 22, 28, 35].map((x) => labels[at(x, 20, 20)])).toEqual([1, 1, 1, 2, 2, 2]);
  });
});

/** A block of bone from 0 to 20 mm along each axis. */
const block: JawBody = {
  info: {
    columns: 20,
    rows: 20,
    slices: 20,
    spacing: [1, 1, 1],
    origin: [0.5, 0.5, 0.5],
    direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  },
  inside: new Uint8Array(8000).fill(1),
};

describe("a coarse jaw", () => {
  it.each([
    ["nothing of an implant within it", [10, 10, 20], [10, 10, 8], 0],
    ["what a tip leaves through its base", [10, 10, 10], [10, 10, -4], 4],
    ["the whole of one whose side leaves it, but for the first 3 mm", [19, 10, 18], [19, 10, 8], 7],
  ] as const)("counts as outside %s", (_, head, apex, mm) => {
    expect(measureLengthOutsideJaw({ head, apex, shoulder: 2, tip: 2 }, block)).toBeCloseTo(mm, 0);
  });

  it("is cut by a plane in a line around it", () => {
    const lattice = { from: [-5, -5, 10], across: [0.5, 0, 0], down: [0, 0.5, 0], columns: 60, rows: 60 } as const;
    const pieces = outlineInPlane(block, lattice);
    const length = pieces.reduce((sum, [[ax, ay], [bx, by]]) => sum + Math.hypot(ax - bx, ay - by) / 2, 0);
    expect(length).toBeGreaterThan(76);
    expect(length).toBeLessThan(82);
    expect(outlineInPlane(block, { ...lattice, from: [-5, -5, 21] })).toEqual([]);
    expect(outlineInPlane(block, { ...lattice, columns: 1e9 })).toEqual([]);
  });
});
