import { describe, expect, it } from "vitest";
import { cephLandmarks, type CephContent, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { getCephLandmarks, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { normaliseTracing, quarterTurnsToUpright } from "./normalised-tracing.ts";
import { cephMeasureNames, withDefaultOcclusalPlane, type CephMeasureName } from "./measures.ts";
import { measureCeph } from "./ceph-report.ts";
import { present } from "@arcada/testing/require-present";
import { traced, spots, usual, bearing, skull, calibrated } from "@arcada/testing/fixtures/ceph-tracings";

const valueOf = (content: CephContent, measure: CephMeasureName): number | null => {
  const { points: places, isMm, faces } = normaliseTracing(content);
  return measureCeph(measure, withDefaultOcclusalPlane(places), isMm, faces !== null).value;
};
const valuesOf = (content: CephContent) =>
  Object.fromEntries(cephMeasureNames.map((name) => [name, valueOf(content, name)]));

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
      ["gonial", 110, 140],
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
