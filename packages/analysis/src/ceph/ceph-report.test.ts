import { describe, expect, it } from "vitest";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import { cephAnalysisNames } from "./analyses.ts";
import type { CephMeasureName } from "./measures.ts";
import { createCephReport } from "./ceph-report.ts";
import { present } from "@arcada/testing/require-present";
import { traced, usual, skull } from "@arcada/testing/fixtures/ceph-tracings";

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
