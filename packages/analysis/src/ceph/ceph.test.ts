import { describe, expect, it } from "vitest";
import { cephLandmarks, type CephContent, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { getCephLandmarks, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { cephAnalysisNames } from "./analyses.ts";
import { createCephDrawing } from "./print-drawing.ts";
import { normaliseTracing, quarterTurnsToUpright } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import { referenceLandmarks } from "./landmarks.ts";
import { cephMeasureNames, withDefaultOcclusalPlane, type CephMeasureName } from "./measures.ts";
import { computeOutlines } from "./anatomical-outlines.ts";
import { createCephReport, measureCeph } from "./ceph-report.ts";
import { superimpose } from "./superimpose.ts";
import { present } from "@arcada/testing/present";

const calibrated = { source: "points", width: 0.1, magnification: 1, line: null } as const;
const traced = (landmarks: CephContent["landmarks"], more: Partial<CephContent> = {}): CephContent => ({
  landmarks,
  aspect: 1,
  calibration: calibrated,
  population: "white",
  remark: null,
  ...more,
});
const spots = (move: (place: Point) => Point): CephContent["landmarks"] =>
  Object.fromEntries(cephLandmarks.map((id) => [id, [...move(referenceLandmarks[id])]])) as CephContent["landmarks"];
const usual = spots(([x, y]) => [1500 + 10 * x, 1500 + 10 * y]);

const valueOf = (content: CephContent, measure: CephMeasureName): number | null => {
  const { points: places, isMm, faces } = normaliseTracing(content);
  return measureCeph(measure, withDefaultOcclusalPlane(places), isMm, faces !== null).value;
};
const valuesOf = (content: CephContent) =>
  Object.fromEntries(cephMeasureNames.map((name) => [name, valueOf(content, name)]));

const bearing = (degrees: number): Point => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
const going = ([x, y]: Point, degrees: number, far: number): Point => [
  x + far * bearing(degrees)[0],
  y + far * bearing(degrees)[1],
];

/** A skull in pixels with chosen angles: bearings run clockwise from the direction that the face looks. */
function skull({ SNA = 82, SNB = 80, FMA = 25, IMPA = 90, SN_MP = 32 } = {}): CephContent["landmarks"] {
  const SN = -7;
  const S: Point = [1000, 1000];
  const N = going(S, SN, 700);
  const FH = SN + SN_MP - FMA;
  const Po = going(S, 160, 300);
  const Go = going(S, 100, 900);
  const L1 = going(N, 100, 1150);
  return {
    S: [...S],
    N: [...N],
    Po: [...Po],
    Or: [...going(Po, FH, 800)],
    A: [...going(N, SN + 180 - SNA, 650)],
    B: [...going(N, SN + 180 - SNB, 1050)],
    Go: [...Go],
    Me: [...going(Go, SN + SN_MP, 700)],
    L1: [...L1],
    L1a: [...going(L1, SN + SN_MP + IMPA, 220)],
  } as CephContent["landmarks"];
}

describe("cephalometric measures", () => {
  it("give back the angles of which a skull was made", () => {
    const content = traced(skull());
    const chosen = { SNA: 82, SNB: 80, ANB: 2, FMA: 25, IMPA: 90, FMIA: 65, SN_MP: 32, L1_MP: 0, ANB_mills: 1.5 };
    for (const [name, value] of Object.entries(chosen))
      expect(valueOf(content, name as CephMeasureName), name).toBeCloseTo(value, 6);
    expect(valueOf(traced(skull({ SNA: 74, SNB: 79, FMA: 38, SN_MP: 41 })), "ANB")).toBeCloseTo(-5, 6);
  });

  it("fulfil the identities of geometry", () => {
    const at = valuesOf(traced(usual)) as Record<CephMeasureName, number>;
    expect(at.ANB).toBeCloseTo(at.SNA - at.SNB, 6);
    expect(at.FMA + at.IMPA + at.FMIA).toBeCloseTo(180, 6);
    expect(at.bjorkSum - 360).toBeCloseTo(at.SN_MP, 6);
    expect(at.SN_PP + at.MMPA).toBeCloseTo(at.SN_MP, 6);
    expect(at.bjorkSum).toBeCloseTo(at.saddle + at.articular + at.gonial, 6);
    expect(at.U1_NA + at.L1_NB + at.U1_L1 + at.ANB).toBeCloseTo(180, 6);
    expect(at.L1_MP).toBeCloseTo(at.IMPA - 90, 6);
    expect(Object.values(at).every(Number.isFinite)).toBe(true);
  });

  it("are the same however the radiograph is rotated, mirrored, shifted or enlarged", () => {
    const still = valuesOf(traced(usual));
    const turned = (degrees: number, side: 1 | -1, scale: number) =>
      spots(([x, y]) => {
        const [cos, sin] = bearing(degrees);
        const [u, v] = [side * x * scale, y * scale];
        return [3000 + u * cos - v * sin, 2500 + u * sin + v * cos];
      });
    for (const [degrees, side, scale] of [
      [90, 1, 10],
      [-137, -1, 10],
      [12, -1, 4],
      [180, 1, 17],
    ] as const) {
      const calibration = { ...calibrated, width: 1 / scale };
      const other = valuesOf(traced(turned(degrees, side, scale), { calibration }));
      for (const name of cephMeasureNames) expect(other[name], name).toBeCloseTo(present(still[name]), 6);
    }
    expect(quarterTurnsToUpright(traced(turned(-90, -1, 10)))).toBe(1);
    const flat = Object.fromEntries(Object.entries(usual).map(([id, [x, y]]) => [id, [x, y / 1.25]]));
    const squeezed = valuesOf(traced(flat as CephContent["landmarks"], { aspect: 1.25 }));
    for (const name of cephMeasureNames) expect(squeezed[name], name).toBeCloseTo(present(still[name]), 6);
  });

  it("are within the norms for a generated head of usual shape", () => {
    const head = makeHead("ceph convention");
    const truth = getCephLandmarks(head);
    const named: Partial<Record<CephLandmark, string>> = { U1: "U1 tip", U1a: "U1 apex", L1: "L1 tip", L1a: "L1 apex" };
    const landmarks: CephContent["landmarks"] = {};
    for (const id of cephLandmarks) {
      const place = truth[named[id] ?? id];
      if (place) landmarks[id] = [place.column, place.row];
    }
    const calibration = {
      source: "file",
      width: cephSize.pixel,
      magnification: cephSize.enlarged,
      line: null,
    } as const;
    const content = traced(landmarks, { calibration });
    expect(normaliseTracing(content).faces).toBe("right");
    // The inner angle, below and behind: its supplement, about 92, would be another convention.
    expect(valueOf(content, "facialAngle")).toBeGreaterThan(84);
    expect(valueOf(content, "facialAngle")).toBeLessThan(90);
    for (const [name, low, high] of [
      ["SNA", 76, 90],
      ["SNB", 74, 86],
      ["FMA", 10, 35],
      ["yAxis", 50, 68],
      ["saddle", 110, 135],
      ["gonial", 115, 140],
      ["jarabak", 55, 85],
      ["SN_MP", 15, 45],
      ["Co_Gn_mm", 95, 130],
      ["U1_L1", 110, 150],
    ] as const) {
      expect(valueOf(content, name), name).toBeGreaterThan(low);
      expect(valueOf(content, name), name).toBeLessThan(high);
    }
  });

  it("keep the convention on a real child's radiograph, which is stored with the face upwards", () => {
    // Located by eye on the lateral cephalogram of Bolton subject B1893 (analysis data: ceph-bolton), in pixels of the
    // file as it is.
    const upright: CephContent["landmarks"] = {
      S: [2840, 1791],
      N: [4143, 1824],
      Or: [3833, 2271],
      Po: [2440, 2290],
      A: [3923, 2700],
      B: [3809, 3536],
      Pog: [3736, 3700],
      Gn: [3694, 3891],
      Me: [3642, 3936],
      Go: [2718, 3200],
    };
    const stored = Object.fromEntries(Object.entries(upright).map(([id, [x, y]]) => [id, [y, 5120 - x]]));
    const content = traced(stored as CephContent["landmarks"]);
    expect(normaliseTracing(content).faces).toBe("right");
    expect(quarterTurnsToUpright(content)).toBe(1);
    for (const name of ["facialAngle", "SNB", "FMA"] as const)
      expect(valueOf(content, name)).toBeCloseTo(present(valueOf(traced(upright), name)), 6);
    // A chin behind the nasion results in less than 90 degrees.
    expect(valueOf(content, "facialAngle")).toBeGreaterThan(74);
    expect(valueOf(content, "facialAngle")).toBeLessThan(84);
  });
});

describe("a cephalometric report", () => {
  const woman = { sex: "female", age: 24 } as const;

  it("states which measurements are missing and why, and gives no mm without a scale", () => {
    const { A: _, ...withoutA } = usual;
    const { rows } = createCephReport(traced(withoutA, { calibration: null }), woman, "steiner");
    const row = (name: CephMeasureName) => present(rows.find(({ measure }) => measure === name));
    expect(row("SNA")).toMatchObject({ value: null, lack: { reason: "landmarks", landmarks: ["A"] }, place: null });
    expect(row("L1_NB_mm")).toMatchObject({ value: null, lack: { reason: "scale" } });
    expect(row("SNB").value).toBeGreaterThan(70);
    const { rows: few } = createCephReport(traced({ N: [0, 0], A: [1, 100], Pog: [0, 200] }), woman, "downs");
    expect(few.find(({ measure }) => measure === "convexity")).toMatchObject({ value: null, lack: { reason: "side" } });
  });

  it("holds a value against one population, sex and age, never against a mixture", () => {
    const content = traced(skull({ SNA: 86, SNB: 81 }));
    const anb = (
      more: Partial<CephContent>,
      subject: Parameters<typeof createCephReport>[1],
      at = "steiner" as const,
    ) => present(createCephReport({ ...content, ...more }, subject, at).rows.find(({ measure }) => measure === "ANB"));
    expect(anb({}, woman)).toMatchObject({ norm: { mean: 2, source: "steiner" }, place: "above", deviations: 1 });
    expect(anb({}, woman).isBorderline).toBe(false);
    expect(anb({ population: "peking" }, woman)).toMatchObject({ place: "above", isBorderline: true });
    expect(anb({ population: "sichuan" }, woman)).toMatchObject({ norm: { mean: 2.21, sd: null }, place: null });
    expect(anb({ population: "sichuan" }, { sex: null, age: 24 }).norm).toBeNull();
    expect(anb({}, { sex: "female", age: 9 })).toMatchObject({
      norm: { isOtherAge: true },
      place: null,
      difference: null,
    });
    for (const analysis of cephAnalysisNames)
      for (const population of ["sichuan", "peking"] as const)
        for (const { norm } of createCephReport(traced(usual, { population }), woman, analysis).rows)
          expect([undefined, population]).toContain(norm?.source);
  });

  it("lets Ricketts' figures grow with a child", () => {
    const depth = (age: number) =>
      present(
        createCephReport(traced(usual), { sex: "male", age }, "ricketts").rows.find(
          (one) => one.measure === "facialAngle",
        ),
      ).norm;
    expect(depth(9)).toMatchObject({ mean: 87, isOtherAge: false });
    expect(depth(12)?.mean).toBeCloseTo(87.99, 6);
    expect(depth(40)?.mean).toBeCloseTo(present(depth(18)).mean, 6);
  });
});

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

it("a tracing's outlines run through its landmarks and are drawn only where landmarks are marked", () => {
  const { points: places } = normaliseTracing(traced(usual));
  const near = (id: CephLandmark, name: string) => {
    const [x, y] = present(places[id]);
    const line = present(computeOutlines(places).find((one) => one.name === name)).points;
    return Math.min(...line.map(([u, v]) => Math.hypot(u - x, v - y)));
  };
  expect(near("Me", "jaw")).toBeLessThan(1e-6);
  expect(near("PogS", "profile")).toBeLessThan(1e-6);
  const { Go: _, ...withoutGo } = places;
  expect(computeOutlines(withoutGo).map(({ name }) => name)).not.toContain("jaw");
  expect(computeOutlines({ S: [0, 0], N: [1, 1] }).map(({ name }) => name)).toEqual(["SN"]);
});

it("a tracing is drawn upright over its cephalogram, and identically however the image is rotated", () => {
  const [columns, rows] = [3000, 4000];
  const upright = createCephDrawing(traced(usual), { columns, rows });
  const lying = Object.fromEntries(
    Object.entries(usual).map(([id, [x, y]]) => [id, [y, columns - x]]),
  ) as CephContent["landmarks"];
  const turned = createCephDrawing(traced(lying), { columns: rows, rows: columns });
  expect([upright.turns, turned.turns]).toEqual([0, 1]);
  expect([upright.height, turned.height]).toEqual([rows / columns, rows / columns]);
  expect(turned.marks).toEqual(upright.marks);
  expect(upright.marks).toContainEqual({
    sign: "S",
    at: [present(usual.S, "S")[0] / columns, present(usual.S, "S")[1] / columns].map(fine),
  });
  expect(upright.lines.map(({ tissue }) => tissue)).toContain("skin");
});
const fine = (share: number): number => Math.round(share * 10_000) / 10_000;
