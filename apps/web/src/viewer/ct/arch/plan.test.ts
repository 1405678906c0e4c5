import type { Mark } from "@arcada/contract/study/mark";
import { describe, expect, it } from "vitest";
import { firstSize, implantDrawn, implantMoved, isTooNear, planOf, resized, safeGaps, withPoint } from "./plan.ts";

const drawn = (id: string, tool: "implant" | "canal", points: number[][], settings: Mark["settings"] = {}): Mark => ({
  id,
  tool,
  instanceId: "1",
  plane: "volume",
  text: null,
  points,
  settings,
});
const canal = drawn(
  "c",
  "canal",
  [
    [-20, 0, -15],
    [20, 0, -15],
  ],
  { diameter: 2, side: "right" },
);
const implant = (id: string, x: number, z: number) =>
  drawn(
    id,
    "implant",
    [
      [x, 0, z],
      [x, 0, z - 10],
    ],
    { diameter: 4, tip: 4 },
  );

describe("a plan of implants", () => {
  it("warns of one that comes nearer to the canal or to another than is safe", () => {
    const { implants } = planOf([canal, implant("a", 0, -1), implant("b", 10, -3)]);
    expect(implants.map(({ toCanal }) => Number(toCanal?.toFixed(2)))).toEqual([3, 1]);
    expect(implants[0]!.toImplant).toMatchObject({ number: 2, degrees: 0 });
    expect(implants[0]!.toImplant!.mm).toBeCloseTo(6, 1);
    expect(implants.map((each) => isTooNear(each, safeGaps))).toEqual([false, true]);
    expect(isTooNear(implants[0]!, { ...safeGaps, implants: 7 })).toBe(true);
  });

  it("says nothing of what is not there", () => {
    expect(planOf([implant("a", 0, 0)]).implants[0]).toMatchObject({ toCanal: null, toImplant: null, length: 10 });
  });

  it("keeps an implant's length while its tip is turned, and its direction while it is moved or resized", () => {
    const turned = implantMoved(implant("a", 0, 0), 1, [30, 0, 0]);
    expect(turned.points).toEqual([
      [0, 0, 0],
      [10, 0, 0],
    ]);
    expect(implantMoved(turned, 0, [0, 5, 0]).points).toEqual([
      [0, 5, 0],
      [10, 5, 0],
    ]);
    const longer = resized(turned, { diameter: 5, length: 12, isCone: true });
    expect(longer.points).toEqual([
      [0, 0, 0],
      [12, 0, 0],
    ]);
    expect(longer.settings).toEqual({ diameter: 5, tip: 3 });
  });

  it("stands upright in its jaw where it was only set down", () => {
    const set = drawn("a", "implant", [
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(implantDrawn(set, firstSize, "lower", [0, 0, 1]).points[1]).toEqual([1, 2, -7]);
    expect(implantDrawn(set, firstSize, "upper", [0, 0, 1]).points[1]).toEqual([1, 2, 13]);
  });
});

describe("a line of points", () => {
  it("takes one more between the two that it lies nearest to, or at an end, and none twice", () => {
    const line = [
      [0, 0, 0],
      [10, 0, 0],
      [20, 0, 0],
    ] as const;
    expect(withPoint(line, [14, 2, 0])[2]).toEqual([14, 2, 0]);
    expect(withPoint(line, [26, 0, 0])[3]).toEqual([26, 0, 0]);
    expect(withPoint(line, [10.2, 0, 0])).toBe(line);
  });
});
