import { describe, expect, it } from "vitest";
import { superimpose } from "./superimpose.ts";
import { present } from "@arcada/testing/require-present";
import { traced, spots, usual, bearing } from "@arcada/testing/fixtures/ceph-tracings";

describe("two tracings one over the other", () => {
  const grown = spots(([x, y]) => {
    // Everything below the nose grows by 4 mm forward and 6 mm down; the cephalogram is rotated and shifted.
    const [u, v] = y > -20 ? [x + 4, y + 6] : [x, y];
    const [cos, sin] = bearing(8);
    return [1900 + 10 * (u * cos - v * sin), 1200 + 10 * (u * sin + v * cos)];
  });

  it("tell what moved when both lie on S–N, on the palate, or where they fit best", () => {
    const on = present(superimpose(traced(usual), traced(grown), "skullBase"));
    const me = present(on.moved.find(({ landmark }) => landmark === "Me"));
    expect(on.isMm).toBe(true);
    expect(me.distance).toBeCloseTo(Math.hypot(4, 6), 6);
    expect(on.moved.find(({ landmark }) => landmark === "S")?.distance).toBeCloseTo(0, 6);
    expect(
      superimpose(traced(usual), traced(grown), "palate")?.moved.find((one) => one.landmark === "Go")?.distance,
    ).toBeCloseTo(Math.hypot(4, 6), 6);
    const best = present(superimpose(traced(usual), traced(grown), ["B", "Me", "Go", "Pog"]));
    expect(best.moved.find(({ landmark }) => landmark === "Gn")?.distance).toBeCloseTo(0, 6);
    expect(superimpose(traced(usual), traced({ S: [0, 0] }), "skullBase")).toBeNull();
  });
});
