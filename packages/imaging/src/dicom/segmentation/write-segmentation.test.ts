import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { readDicom } from "../parse/read-dicom.ts";
import { decodeFrame } from "../pixels/decode-frame.ts";
import { rasteriseTube } from "./rasterise-tube.ts";
import {
  SegmentationTooLargeError,
  segmentationClass,
  writeSegmentation,
  type SegmentedSeries,
} from "./write-segmentation.ts";

const slices = Array.from({ length: 12 }, (_, place) => ({
  sopClassUid: "1.2.840.10008.5.1.4.1.1.2",
  sopInstanceUid: `1.2.3.4.${place + 1}`,
  position: [-8, -6, place * 0.5] as [number, number, number],
}));
const series: SegmentedSeries = {
  studyInstanceUid: "1.2.3.1",
  seriesInstanceUid: "1.2.3.2",
  frameOfReferenceUid: "1.2.3.3",
  patient: { name: "Wang^Xiaoming=王^小明", id: "P1", birthDate: "19900101", sex: "M" },
  study: { date: "20261129", time: "080000", id: "S1", accessionNumber: "", referringPhysician: "" },
  rows: 24,
  columns: 33,
  pixelSpacing: [0.5, 0.5],
  sliceSpacing: 0.5,
  orientation: [1, 0, 0, 0, 1, 0],
  slices,
};
const maskOf = (slice: number): Uint8Array | null =>
  rasteriseTube(
    {
      rows: 24,
      columns: 33,
      position: slices[slice].position,
      columnDirection: [1, 0, 0],
      rowDirection: [0, 1, 0],
      columnSpacing: 0.5,
      rowSpacing: 0.5,
    },
    [
      [-6, 0, 1],
      [6, 2, 4],
    ],
    1,
  );
const write = (): Uint8Array =>
  writeSegmentation(
    series,
    [
      {
        label: "Mandibular canal, right",
        algorithm: { type: "SEMIAUTOMATIC", name: "canal trace" },
        property: { value: "MANDIBULAR-CANAL", scheme: "99ARCADA", meaning: "Mandibular canal" },
        maskOf,
      },
    ],
    { date: "20261129", time: "090000", seriesNumber: 900, version: "1.0.0" },
  );

it("reads its own segmentation back voxel by voxel, with the slices that it refers to", async () => {
  const file = readDicom(write());
  expect(file.text("x00080016")).toBe(segmentationClass);
  const groups = file.sequence("x52009230");
  expect(groups.length).toBe(file.number("x00280008"));
  expect(groups.length).toBeGreaterThan(4);
  for (const [frame, group] of groups.entries()) {
    const source = group.sequence("x00089124")[0]?.sequence("x00082112")[0]?.text("x00081155") ?? "";
    const slice = slices.findIndex(({ sopInstanceUid }) => sopInstanceUid === source);
    expect([...(await decodeFrame(file, frame)).data]).toEqual([...(maskOf(slice) ?? [])]);
  }
});

it("packs frames of an odd number of voxels without a gap between them", async () => {
  const odd = { ...series, rows: 5, columns: 7 };
  const masks = slices.map((_, slice) =>
    Uint8Array.from({ length: 35 }, (__, at) => Number((at * 7 + slice) % 3 === 0)),
  );
  const segment = {
    label: "",
    algorithm: { type: "MANUAL" as const },
    property: { value: "", scheme: "", meaning: "" },
  };
  const created = { date: "20261129", time: "090000", seriesNumber: 1, version: "" };
  const file = readDicom(writeSegmentation(odd, [{ ...segment, maskOf: (slice) => masks[slice] ?? null }], created));
  for (const [frame, mask] of masks.entries()) expect([...(await decodeFrame(file, frame)).data]).toEqual([...mask]);
});

it("refuses masks that would fill the memory, before it packs them", () => {
  const huge = { ...series, rows: 60_000, columns: 60_000 };
  const segment = {
    label: "",
    algorithm: { type: "MANUAL" as const },
    property: { value: "", scheme: "", meaning: "" },
  };
  const created = { date: "20261129", time: "090000", seriesNumber: 1, version: "" };
  expect(() => writeSegmentation(huge, [{ ...segment, maskOf: () => Uint8Array.of(1) }], created)).toThrow(
    SegmentationTooLargeError,
  );
});

it("refuses segments without a voxel", () => {
  const empty = { label: "", algorithm: { type: "MANUAL" as const }, property: { value: "", scheme: "", meaning: "" } };
  const created = { date: "20261129", time: "090000", seriesNumber: 1, version: "" };
  expect(() => writeSegmentation(series, [{ ...empty, maskOf: () => null }], created)).toThrow(RangeError);
});

const hasValidator = (): boolean => {
  try {
    execFileSync("which", ["dciodvfy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
it.skipIf(!hasValidator())("dciodvfy finds no error in a segmentation", ({ onTestFinished }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-seg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = path.join(folder, "seg.dcm");
  writeFileSync(name, write());
  const said = execFileSync("sh", ["-c", `dciodvfy ${name} 2>&1 || true`], { encoding: "utf8" });
  expect(said.split("\n").filter((line) => line.startsWith("Error"))).toEqual([]);
});
