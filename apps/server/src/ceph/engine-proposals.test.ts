import { expect, it } from "vitest";
import type { ObservationRow } from "./ceph.store.ts";
import { buildProposals } from "./engine-proposals.ts";

const line = {
  kind: "line",
  points: [
    [10, 100],
    [10, 700],
  ],
} as unknown as ObservationRow["geometry"];
const scale = (value: number, run: string, method = "two-reading-comb@2"): ObservationRow => ({
  run,
  method,
  code: "CEPH_SCALE",
  value,
  geometry: line,
});

it("a ruler with one possible reading is proposed, with the millimetres between its outermost ticks", () => {
  expect(buildProposals([scale(0.1, "a")])).toMatchObject({ scale: 0.1, scales: [{ width: 0.1, mm: 60 }] });
});

it("a ruler with several possible readings has no single proposal, and all readings of the latest run are offered", () => {
  const { scale: single, scales } = buildProposals([scale(0.3, "a"), scale(0.05, "b"), scale(0.1, "b")]);
  expect(single).toBeNull();
  expect(scales.map(({ width }) => width)).toEqual([0.05, 0.1]);
});

it("a scale of the withdrawn method is not offered", () => {
  expect(buildProposals([scale(0.1, "a", "tick-spectrum@1")])).toMatchObject({ scale: null, scales: [] });
});

const landmark = (run: string, at: [number, number], radius?: number): ObservationRow => ({
  run,
  method: "landmark-heatmap@1",
  code: "CEPH_LM_N",
  value: null,
  geometry: { kind: "point", at, ...(radius && { radius }) },
});

it("a landmark is proposed where the latest engine saw it, with the spread of that engine alone", () => {
  const first = landmark("a", [10, 20], 4);
  expect(buildProposals([first])).toMatchObject({ landmarks: { N: [10, 20] }, spreads: { N: 4 } });
  expect(buildProposals([first, landmark("b", [12, 22])])).toMatchObject({ landmarks: { N: [12, 22] }, spreads: {} });
});
