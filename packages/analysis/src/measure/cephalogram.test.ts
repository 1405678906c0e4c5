import { describe, expect, it } from "vitest";
import { createCephPixels, getCephRulerEnds, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { facialProfile } from "@arcada/phantom/radiograph/ceph-anatomy";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { EngineImage } from "../engine.ts";
import { measureProfile } from "./trace-soft-tissue-profile.ts";
import { measureScale, possibleScales } from "./ceph-scale.ts";
import type { Grid } from "./pixel-grid.ts";
import { findRuler } from "./find-ruler.ts";
import { present } from "@arcada/testing/require-present";

const { columns, rows, pixel, enlarged, zero } = cephSize;
const mm = pixel / enlarged;

describe("a cephalogram", () => {
  const head = makeHead("one");
  const picture: EngineImage = {
    kind: "picture",
    shows: "lateralCeph",
    columns,
    rows,
    samples: Float32Array.from(createCephPixels(head)),
    spacing: null,
  };

  it("reports its scale from the ruler in it, and the positions of the ruler's marks", () => {
    const [{ value, geometry }] = measureScale(picture).observations;
    expect(Math.abs(Number(value) / mm - 1)).toBeLessThan(0.02);
    const { from, to } = getCephRulerEnds();
    if (geometry?.kind !== "line") throw new Error("no line");
    const ends = [to.row, from.row];
    expect(geometry.points.every(([, y], at) => Math.abs(y - ends[at]) < 4)).toBe(true);
  });

  it("is not given a scale that its own spacing contradicts", () => {
    const { observations, abstentions } = measureScale({ ...picture, spacing: { row: 0.2, column: 0.2 } });
    expect(observations).toEqual([]);
    expect(abstentions).toMatchObject([{ code: "CEPH_SCALE", reason: "selfCheckFailed" }]);
  });

  it("has the outline of its face drawn along the soft tissue, whichever side the face looks to", () => {
    const truth = facialProfile.map(([x, z]): [number, number] => [
      zero[0] + (x * head.scale) / mm,
      zero[1] - (z * head.scale) / mm,
    ]);
    const turned = {
      ...picture,
      samples: picture.samples.map((_, at, all) => all[at - (at % columns) + columns - 1 - (at % columns)]),
    };
    for (const [one, isTurned] of [
      [picture, false],
      [turned, true],
    ] as const) {
      const [{ geometry }] = measureProfile(one).observations;
      const points = geometry?.kind === "line" ? geometry.points : [];
      // From the root of the nose to below the chin.
      const face = points.filter(([, y]) => y > zero[1] - 84 / mm && y < zero[1] + 45 / mm);
      const off = face.map(([x, y]) => toLine(truth, [isTurned ? columns - x : x, y]) * mm).toSorted((a, b) => a - b);
      expect(face.length).toBeGreaterThan(100);
      expect(off[Math.floor(off.length / 2)]).toBeLessThan(1);
      expect(off.filter((distance) => distance <= 2).length / off.length).toBeGreaterThan(0.88);
    }
  });
});

describe("a ruler", () => {
  it.each([
    [1, 0.1267, 45],
    [5, 0.15, 60],
    [10, 0.12, 80],
  ])("with a mark every %i mm gives the scale within a hundredth", (every, scale, length) => {
    const film = ruled(every, scale, length);
    const scales = possibleScales(present(findRuler(film)), { ...film, spacing: null });
    expect(scales).toMatchObject([{ every }]);
    expect(Math.abs(scales[0].scale / scale - 1)).toBeLessThan(0.01);
  });

  it("is not seen in noise", () => {
    expect(findRuler(ruled(1, 0.1267, 0))).toBeNull();
  });
});

describe("marks of a ruler", () => {
  const marks = { column: 100, rows: [200, 250] };
  const size = { columns: 1935, rows: 2400, spacing: null };
  const everyOf = (gap: number, longer: readonly number[], picture: Parameters<typeof possibleScales>[1] = size) =>
    possibleScales({ gap, marks, isVertical: true, longer }, picture).map(({ every }) => every);

  it("have one distance if no other one makes the cephalogram as large as a head", () => {
    expect(everyOf(10, [5, 2])).toEqual([1]);
    expect(everyOf(100, [])).toEqual([10]);
  });

  it("have every distance that a head's size allows if none of them is certain", () => {
    expect(everyOf(90, [])).toEqual([5, 10]);
  });

  it("have the one distance that the longer marks indicate", () => {
    expect(everyOf(45, [2])).toEqual([5]);
    expect(everyOf(9, [10])).toEqual([1]);
  });

  it("are not two millimetres apart unless longer marks among them indicate it", () => {
    expect(everyOf(24, [])).toEqual([]);
    expect(everyOf(24, [5])).toEqual([2]);
  });

  it("have no distance if the cephalogram would not have the size of any head", () => {
    expect(everyOf(30, [5, 2])).toEqual([]);
  });

  it("have the distance that the file's own spacing gives, magnified or not", () => {
    expect(everyOf(90, [], { ...size, spacing: { row: 0.1, column: 0.1 } })).toEqual([10]);
    expect(everyOf(90, [], { ...size, spacing: { row: 0.3, column: 0.3 } })).toEqual([]);
  });
});

/** Generates a noisy cephalogram of about 210 mm with a ruler at its side. */
function ruled(every: number, scale: number, length: number): Grid {
  const [wide, high] = [400, Math.round(210 / scale)];
  let state = 11;
  const noise = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const data = Float32Array.from({ length: wide * high }, (_, at) => {
    const [x, y] = [at % wide, Math.floor(at / wide)];
    const along = (y - 200) * scale;
    const off = Math.abs(along - Math.round(along / every) * every);
    const isMark = x > 300 && x < 330 && along > -0.2 && along < length && off < 0.2;
    return 80 + 30 * noise() + 20 * Math.sin(y / 90) + (isMark ? 90 : 0);
  });
  return { columns: wide, rows: high, data };
}

function toLine(line: readonly [number, number][], [x, y]: readonly [number, number]): number {
  let least = Infinity;
  for (let at = 0; at + 1 < line.length; at++) {
    const [[ax, ay], [bx, by]] = [line[at], line[at + 1]];
    const [dx, dy] = [bx - ax, by - ay];
    const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x - ax - share * dx, y - ay - share * dy));
  }
  return least;
}
