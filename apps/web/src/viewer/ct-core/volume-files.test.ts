import { expect, it } from "vitest";
import type { Series } from "@arcada/contract/study/study.schema";
import { readVolumeFiles } from "./volume-files.ts";

const line = [
  [1, 2, 3],
  [4, 5, 6],
];
const volume = {
  columns: 1,
  rows: 1,
  slices: 1,
  min: 0,
  max: 1,
  window: { center: 0, width: 1 },
  valueOffset: 0,
  valueScale: 1,
  valueName: null,
  spacing: [1, 1, 1],
  origin: [0, 0, 0],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  arch: { upper: line, lower: line, up: [0, 0, 1], edges: ["chin"] },
  half: null,
  preview: null,
  groups: ["/group"],
  isGrowing: false,
};

it("keeps the cut parts of the stored arch, without which the viewer would detect the arch again", () => {
  const files = readVolumeFiles({ volume } as unknown as Series);
  expect(files?.arch).toEqual({ upper: line, lower: line, up: [0, 0, 1], edges: ["chin"] });
});
