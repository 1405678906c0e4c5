import { beforeAll, describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { createArchCurve, createJawCurve } from "@arcada/phantom/anatomy/arch-curve";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { getNormalTable } from "@arcada/phantom/math/random";
import { plus, times, normalize, type Vector } from "../geometry/vector.ts";
import type { VoxelGrid } from "../surface/voxel-grid.ts";
import { estimateBoneCoverage } from "./bone-coverage.ts";
import { findBoneLevels } from "./bone-grey-thresholds.ts";
import type { ImplantBody } from "./implant-body.ts";
import type { TissueLevels } from "../volume/hard-tissue.ts";
import { present } from "@arcada/testing/require-present";

const head = makeHead("bone");
let grid: VoxelGrid;
let levels: TissueLevels;

beforeAll(() => {
  const { data, origin, ...size } = createCbctVolume(head, { columns: 150, rows: 150, slices: 92, voxel: 0.72 });
  const { columns, rows, slices, voxel } = size;
  const spacing = [voxel, voxel, voxel] as const;
  grid = {
    data,
    info: { columns, rows, slices, origin: [...origin], spacing: [...spacing], direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
  };
  levels = present(findBoneLevels(grid));
}, 60_000);

/** An implant at a tooth: mm to the cheek from its middle, mm into the bone, and how it leans to the cheek. */
function placed(fdi: number, { out = 0, deep = 3, lean = 0, length = 10 } = {}): [ImplantBody, Vector] {
  const tooth = present(head.teeth.find((each) => each.fdi === fdi));
  const curve = tooth.jaw === "lower" ? createJawCurve(head.scale) : createArchCurve("upper", head.scale);
  const { tangent } = curve.at(Math.abs(tooth.place));
  const outwards: Vector = [Math.sign(tooth.place) * tangent[1], -tangent[0], 0];
  const into: Vector = [0, 0, tooth.jaw === "lower" ? -1 : 1];
  const shoulder = plus(tooth.neck, plus(times(outwards, out), times(into, deep)));
  const way = normalize(plus(into, times(outwards, lean)));
  return [{ head: shoulder, apex: plus(shoulder, times(way, length)), shoulder: 2, tip: 1.6 }, outwards];
}
const coverOf = ([body, outwards]: [ImplantBody, Vector], isArchKnown = true) =>
  estimateBoneCoverage(grid, levels, body, isArchKnown ? outwards : null);

describe("the bone around an implant", () => {
  it("covers implants in the middle of the lower jaw, marrow and canal included", () => {
    for (const fdi of [34, 35, 36, 44, 45, 46])
      for (const isArchKnown of [true, false]) expect(coverOf(placed(fdi), isArchKnown).outside).toBeLessThan(0.05);
  });

  it("is left through the plate that an implant leans to, and the side is reported", () => {
    for (const fdi of [35, 45]) {
      const buccal = coverOf(placed(fdi, { out: 3, lean: 0.5 }));
      expect(buccal.outside).toBeGreaterThan(0.15);
      expect(buccal.buccal).toBeGreaterThan(buccal.inner);
      const lingual = coverOf(placed(fdi, { out: -4, lean: -0.5 }));
      expect(lingual.outside).toBeGreaterThan(0.15);
      expect(lingual.inner).toBeGreaterThan(lingual.buccal);
    }
  });

  it("is left by a tip in the sinus", () => {
    const short = coverOf(placed(26, { out: -1, deep: 2, length: 6 }));
    const long = coverOf(placed(26, { out: 1, deep: 4, length: 18 }));
    expect(short.outside).toBeLessThan(0.05);
    expect(long.outside).toBeGreaterThan(0.15);
    expect(long.apex).toBeGreaterThan(0.05);
  });

  it("is absent in front of the face and outside the volume, and only the latter counts as unseen", () => {
    const [body, outwards] = placed(36);
    const moved = (by: Vector): ImplantBody => ({ ...body, head: plus(body.head, by), apex: plus(body.apex, by) });
    expect(estimateBoneCoverage(grid, levels, moved([0, -30, 0]), outwards)).toMatchObject({ outside: 1, unseen: 0 });
    expect(estimateBoneCoverage(grid, levels, moved([0, 0, -200]), outwards)).toMatchObject({ outside: 1, unseen: 1 });
  });
});

describe("the levels that separate bone", () => {
  it("are null for a volume of noise or of coarse voxels, or if soft tissue varies like bone", () => {
    const normal = getNormalTable();
    const noisy = (deviation: number): VoxelGrid => ({
      ...grid,
      data: Int16Array.from(grid.data, (value, at) => value + deviation * normal[(at * 7919) & 0xffff]),
    });
    expect(findBoneLevels({ ...grid, info: { ...grid.info, spacing: [1.2, 1.2, 1.2] } })).toBeNull();
    expect(findBoneLevels({ ...grid, data: new Int16Array(grid.data.length) })).toBeNull();
    expect(findBoneLevels(noisy(120))).not.toBeNull();
    expect(findBoneLevels(noisy(600))).toBeNull();
  });
});
