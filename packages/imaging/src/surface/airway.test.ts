import { describe, expect, it } from "vitest";
import { distance, type Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { segmentAirway } from "./airway.ts";
import type { VoxelGrid } from "./voxel-grid.ts";
import { createBodyGrid } from "./synthetic-grid.ts";
import { present } from "@arcada/testing/require-present";

const info: VolumeGeometry = {
  columns: 64,
  rows: 76,
  slices: 132,
  spacing: [0.5, 0.5, 0.5],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  origin: [-16, -14, -32],
};
const bend = 55;

/** mm along the bent tube, from its upper end at 60° before the horizon to its lower end, and the radius there. */
const radiusAt = (s: number): number => 6 - 2.5 * Math.exp(-(((s - 34) / 7) ** 2));

/** A tube that leads backwards and down along a circle, narrowest in its middle; other air is next to it. */
function tube(): VoxelGrid {
  const inside = ([x, y, z]: Vector): number => {
    const angle = Math.atan2(z, bend + y);
    const off = Math.hypot(Math.hypot(bend + y, z) - bend, x);
    return radiusAt(34 - bend * angle) - off;
  };
  const beside = (point: Vector): number => 3 - distance(point, [12.5, 17, 20]);
  const body = createBodyGrid(info, (point) => Math.max(inside(point), beside(point)));
  return { info, data: body.data.map((value) => 1000 - 1900 * (value / 1000)) };
}

describe("an airway", () => {
  const grid = tube();

  it("has the volume and the narrowest area of a bent tube within 3 %, and reports its position", () => {
    const airway = present(segmentAirway(grid, 50, [0, 0, 0]));
    // The tube's ends are cut by the box: its whole middle part is compared, 44 mm of it.
    let truth = 0;
    for (let s = 12; s < 56; s += 0.01) truth += 0.01 * Math.PI * radiusAt(s) ** 2;
    const part = airway.mask.reduce((sum, here, at) => {
      const y = info.origin[1] + 0.5 * (Math.floor(at / info.columns) % info.rows);
      const z = info.origin[2] + 0.5 * Math.floor(at / (info.columns * info.rows));
      return sum + (here && Math.abs(bend * Math.atan2(z, bend + y)) < 22 ? 0.125 : 0);
    }, 0);
    expect(Math.abs(part / truth - 1)).toBeLessThan(0.03);
    const least = Math.PI * 3.5 ** 2;
    expect(Math.abs(present(airway.narrowest, "narrowest").area / least - 1)).toBeLessThan(0.03);
    expect(distance(present(airway.narrowest, "narrowest").at, [0, 0, 0])).toBeLessThan(2);
    // Areas along the way are those of the tube, not of its slices.
    const slanted = present(airway.sections.find(({ at }) => at[2] < -17));
    const s = 34 - bend * Math.atan2(slanted.at[2], bend + slanted.at[1]);
    expect(Math.abs(slanted.area / (Math.PI * radiusAt(s) ** 2) - 1)).toBeLessThan(0.03);
  });

  it("is the air connected with the chosen point, or else the largest body of air", () => {
    const other = present(segmentAirway(grid, 50, [12.5, 17, 20]));
    expect(Math.abs(other.volume / ((4 / 3) * Math.PI * 27) - 1)).toBeLessThan(0.03);
    expect(segmentAirway(grid, 50, null)?.volume).toBeGreaterThan(3000);
    expect(segmentAirway(grid, 50, [-15, 20, 0])).toBeNull();
    expect(segmentAirway(grid, -2000, null)).toBeNull();
  });
});
