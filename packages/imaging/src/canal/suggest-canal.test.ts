import { describe, expect, it } from "vitest";
import { createCanalVolume, measureToCanal, type CanalVolume } from "@arcada/phantom/cbct/canal-volume";
import { createCurvedSurface } from "../arch/curved-surface.ts";
import type { Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { present } from "@arcada/testing/require-present";
import { suggestCanal, type LowerJawFrame } from "./suggest-canal.ts";

const toGrid = ({ columns, rows, slices, voxel, origin, data }: CanalVolume): VoxelGrid => ({
  data,
  info: { columns, rows, slices, spacing: [voxel, voxel, voxel], origin, direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
});

/** The left half of a jaw whose midline is 27 mm before the mental foramen; its ramus rises behind 54 mm of teeth. */
function createFrame(): LowerJawFrame {
  const middle = Array.from({ length: 12 }, (_, at): Vector => {
    const y = -27 + at * 7.7;
    return [1 + 0.1 * y + 0.0012 * y * y, y, 23];
  });
  return { surface: present(createCurvedSurface(middle)), teeth: [-54, 54], occlusalHeight: 40, softTissue: 55 };
}

/** Its mental foramen is on the left, as the frame has it. */
const jaw = createCanalVolume("jaw 20", { voxel: 0.5 });

describe("a suggested nerve canal", () => {
  it("runs in the middle of the true one without a click, where it says that it is sure", () => {
    const found = suggestCanal(toGrid(jaw), createFrame(), "left");
    expect(typeof found).not.toBe("string");
    const sure = typeof found === "string" ? [] : found.filter(({ isSeen, isDoubtful }) => isSeen && !isDoubtful);
    const errors = sure.map(({ place }) => measureToCanal(jaw.canal, place)).sort((a, b) => a - b);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.6);
    expect(sure.length * 0.5).toBeGreaterThan(30);
  }, 240_000);

  it("is not suggested where the field of view ends in the body of the jaw", () => {
    const slices = Math.round(jaw.slices / 3);
    const upper = jaw.data.slice(jaw.columns * jaw.rows * (jaw.slices - slices));
    const height = jaw.origin[2] + (jaw.slices - slices) * jaw.voxel;
    const cut = toGrid({ ...jaw, slices, data: upper, origin: [jaw.origin[0], jaw.origin[1], height] });
    expect(suggestCanal(cut, createFrame(), "left")).toBe("outsideField");
  });

  it("is not suggested where the ramus was not found", () => {
    expect(suggestCanal(toGrid(jaw), { ...createFrame(), teeth: [-54, 84] }, "left")).toBe("outsideField");
  });
});
