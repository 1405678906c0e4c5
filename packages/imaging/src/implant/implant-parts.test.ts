import { describe, expect, it } from "vitest";
import { identityTransform } from "../geometry/rigid-transform.ts";
import { distance, rotateVector, type Vector } from "../geometry/vector.ts";
import { findOcclusalAxis } from "./crown-axis.ts";
import type { ImplantBody } from "./implant-body.ts";
import {
  buildAbutment,
  buildSleeve,
  findNearestAbutment,
  getAbutmentAxis,
  getOutwardAxis,
  measureAxisAngle,
} from "./implant-parts.ts";

const lower: ImplantBody = { head: [10, -20, 5], apex: [10, -20, -5], shoulder: 2, tip: 1.2 };

it("puts a sleeve above the shoulder by its offset and height", () => {
  const sleeve = buildSleeve(lower, { outer: 6, height: 5, offset: 4 });
  expect(sleeve).toEqual({ head: [10, -20, 14], apex: [10, -20, 9], shoulder: 3, tip: 3 });
});

describe("abutment", () => {
  it("keeps its angle to the implant in every turn", () => {
    for (const turn of [0, 45, 133, 270])
      expect(measureAxisAngle(getOutwardAxis(lower), getAbutmentAxis(lower, { angle: 17, turn }))).toBeCloseTo(17, 9);
  });
  it("leans to the patient's front at a turn of 0 and to the left at 90 in both jaws", () => {
    const upper = { ...lower, head: lower.apex, apex: lower.head };
    for (const body of [lower, upper]) {
      expect(getAbutmentAxis(body, { angle: 90, turn: 0 })[1]).toBeCloseTo(-1, 9);
      expect(getAbutmentAxis(body, { angle: 90, turn: 90 })[0]).toBeCloseTo(1, 9);
    }
  });
  it("continues the implant without a gap", () => {
    const [collar, post] = buildAbutment(lower, { angle: 25, turn: 10 });
    expect([collar.apex, distance(collar.head, post.apex)]).toEqual([lower.head, 0]);
  });
  it("is chosen by the crown's axis", () => {
    const wanted = { angle: 25, turn: 140 };
    expect(findNearestAbutment(lower, getAbutmentAxis(lower, { ...wanted, angle: 23 }), [0, 15, 17, 25, 30])).toEqual(
      wanted,
    );
  });
});

describe("the axis square to the occlusal plane of a scan", () => {
  it("is found in spite of cusps and of the implant's own lean", () => {
    for (const degrees of [0, 12, 30]) {
      const tilt = (degrees * Math.PI) / 180;
      const found = findOcclusalAxis(makeBumpySheet([10, -20, 12], tilt), identityTransform, lower);
      expect(measureAxisAngle(found ?? [1, 0, 0], [0, -Math.sin(tilt), Math.cos(tilt)])).toBeLessThan(1);
    }
  });
  it("is unknown for a scan of the other jaw", () => {
    const opposing = makeBumpySheet([10, -20, 12], 0);
    expect(
      findOcclusalAxis({ ...opposing, indices: opposing.indices.toReversed() }, identityTransform, lower),
    ).toBeNull();
  });
  it("is unknown where the scan shows another site", () => {
    expect(findOcclusalAxis(makeBumpySheet([80, -20, 12], 0), identityTransform, lower)).toBeNull();
  });
});

/** A sheet of 40 × 40 mm with bumps of 1 mm, tilted about the x axis through its middle. */
function makeBumpySheet(middle: Vector, tilt: number): { positions: number[]; indices: number[] } {
  const [side, step] = [81, 0.5];
  const positions: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const flat: Vector = [(column - 40) * step, (row - 40) * step, Math.sin(column * 1.1) * Math.sin(row * 0.9)];
      const [x, y, z] = rotateVector(flat, [1, 0, 0], tilt);
      positions.push(middle[0] + x, middle[1] + y, middle[2] + z);
      if (row === 0 || column === 0) continue;
      const at = row * side + column;
      indices.push(at, at - 1, at - side, at - 1, at - side - 1, at - side);
    }
  return { positions, indices };
}
