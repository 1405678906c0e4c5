import { describe, expect, it } from "vitest";
import { traced, usual } from "@arcada/testing/fixtures/ceph-tracings";
import { cephAnalysisNames } from "./analyses.ts";
import { createCephReport } from "./ceph-report.ts";
import { listRequiredLandmarks } from "./required-landmarks.ts";

const idsOf = (...args: Parameters<typeof listRequiredLandmarks>) => listRequiredLandmarks(...args).map(({ id }) => id);
const placeOnly = (ids: readonly string[]) =>
  traced(Object.fromEntries(Object.entries(usual).filter(([id]) => ids.includes(id))) as typeof usual);
const unmeasuredRows = (analysis: (typeof cephAnalysisNames)[number], ids: readonly string[]) =>
  createCephReport(placeOnly(ids), { sex: "female", age: 30 }, analysis).rows.filter(({ value }) => value === null);

describe.each(cephAnalysisNames)("the landmarks of the analysis %s", (analysis) => {
  const required = idsOf(analysis);

  it("give every row a value", () => {
    expect(unmeasuredRows(analysis, required)).toEqual([]);
  });

  it("contain none that no row needs", () => {
    for (const id of required)
      expect(
        unmeasuredRows(
          analysis,
          required.filter((other) => other !== id),
        ),
        id,
      ).not.toEqual([]);
  });
});

it("the landmarks of an analysis follow the skull from its base to the skin", () => {
  expect(idsOf("steiner")).toEqual([
    "S",
    "N",
    "A",
    "U1",
    "U1a",
    "L1",
    "L1a",
    "OcA",
    "OcP",
    "B",
    "Pog",
    "Gn",
    "D",
    "Go",
  ]);
});

it("the occlusal plane is not asked for where molars and incisors define it", () => {
  expect(idsOf("steiner", usual)).toContain("OcA");
  const { OcA: _, OcP: __, ...teeth } = usual;
  expect(idsOf("steiner", teeth)).not.toContain("OcA");
  expect(idsOf("wits", teeth)).toContain("OcA");
});
