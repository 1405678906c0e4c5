import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicomHeader } from "../dicom/parse/dicom-header.ts";
import { readDicom } from "../dicom/parse/read-dicom.ts";
import { groupSeries } from "./find-volumes-in-series.ts";
import { makeSliceFixture, type SliceFixture } from "@arcada/testing/images/dicom-slices";

const header = (made: SliceFixture) => readDicomHeader(makeSliceFixture(made));
const stack = (count: number, change: (index: number) => Partial<SliceFixture> = () => ({})) =>
  Array.from({ length: count }, (_, index) => header({ position: [0, 0, index * 0.3], ...change(index) }));
const codes = (headers: ReturnType<typeof stack>) =>
  groupSeries(headers).map(({ kind, problems }) => [kind, ...problems.map(({ code }) => code)]);

describe("the slices of a series", () => {
  it("are a volume in the order of their positions, whatever the order of the files", () => {
    const [group, ...others] = groupSeries(stack(10).toReversed());
    expect(others).toEqual([]);
    expect(group).toMatchObject({ kind: "volume", problems: [] });
    expect(group?.instances.map(({ imagePosition }) => Math.round((imagePosition?.[2] ?? -1) / 0.3))).toEqual([
      ...Array(10).keys(),
    ]);
    expect(group?.spacing?.map((value) => Number(value.toFixed(6)))).toEqual([0.4, 0.5, 0.3]);
  });

  it("are separate images if they are few, miss one or are uneven; a leaning volume is still one", () => {
    expect(codes(stack(7))).toEqual([["pictures", "tooFew"]]);
    expect(codes(stack(12).filter((_, index) => index !== 5))).toEqual([["pictures", "gap"]]);
    expect(codes(stack(12, (index) => (index === 5 ? { position: [0, 0, 1.56] } : {})))).toEqual([
      ["pictures", "irregular"],
    ]);
    expect(codes(stack(12, (index) => ({ position: [0, index * 0.1, index * 0.3] })))).toEqual([["volume", "tilt"]]);
    expect(codes(stack(12, (index) => ({ position: [0, index * 0.4, index * 0.3] })))).toEqual([
      ["pictures", "irregular"],
    ]);
    expect(codes(stack(12, (index) => (index === 5 ? { position: [2, 0, 1.5] } : {})))).toEqual([
      ["pictures", "irregular"],
    ]);
  });

  it("may lie up to a hundredth of their distance from where an even one would be, and not further", () => {
    const uneven = (part: number) =>
      stack(12, (index) => ({ position: [0, 0, index * 3 + (index === 5 ? 3 * part : 0)] }));
    expect(codes(uneven(0.009))).toEqual([["volume"]]);
    expect(codes(uneven(0.011))).toEqual([["pictures", "irregular"]]);
  });

  it("report how many are missing where, and stay images: nothing is interpolated between them", () => {
    const [group] = groupSeries(stack(20).filter((_, index) => ![4, 5, 11].includes(index)));
    expect(group).toMatchObject({
      kind: "pictures",
      problems: [{ code: "gap", detail: "3 slices missing at 2 places, spacing 0.300 mm" }],
    });
    expect(group?.instances).toHaveLength(17);
  });

  it("of two acquisitions that overlap only in part are two volumes, each whole", () => {
    const second = stack(12, (index) => ({ position: [0, 0, (index + 5) * 0.3], acquisition: 2 }));
    const groups = groupSeries([...stack(10), ...second]);
    expect(groups.map(({ kind, instances }) => [kind, instances.length])).toEqual([
      ["volume", 10],
      ["volume", 12],
    ]);
  });

  it("allow the rounding of positions to two decimals", () => {
    expect(codes(stack(40, (index) => ({ position: [0, 0, Number((index * 0.125).toFixed(2))] })))).toEqual([
      ["volume"],
    ]);
  });

  it("lie along a slanted normal as well", () => {
    const [sin, cos] = [Math.sin(0.3), Math.cos(0.3)];
    expect(
      codes(stack(12, (index) => ({ orientation: [1, 0, 0, 0, cos, sin], position: [0, -sin * index, cos * index] }))),
    ).toEqual([["volume"]]);
  });

  it("are separated by acquisition if the patient was scanned twice", () => {
    const repeated = [...stack(10), ...stack(10, () => ({ acquisition: 2 }))];
    expect(codes(repeated)).toEqual([["volume"], ["volume"]]);
  });

  it("keep one slice of two at the same position, and put the other into a separate group", () => {
    const groups = groupSeries([...stack(10), header({ position: [0, 0, 0.9], uid: 77 })]);
    expect(groups.map(({ kind, instances, problems }) => [kind, instances.length, problems[0]?.code])).toEqual([
      ["volume", 10, "duplicate"],
      ["pictures", 1, "duplicate"],
    ]);
  });

  it("are counted once when a file is sent twice", () => {
    expect(groupSeries([...stack(10), ...stack(10)]).map(({ instances }) => instances.length)).toEqual([10]);
  });

  it("are not joined with localizers, screen images or another direction", () => {
    const groups = groupSeries([
      ...stack(10),
      header({ position: [0, 0, 3], imageType: ["ORIGINAL", "PRIMARY", "LOCALIZER"] }),
      header({ position: [0, 0, 3.3], sopClass: "1.2.840.10008.5.1.4.1.1.7" }),
      header({ position: [0, 0, 3.6], orientation: [0, 1, 0, 0, 0, -1] }),
    ]);
    expect(groups.map(({ kind, instances }) => [kind, instances.length])).toEqual([
      ["volume", 10],
      ["pictures", 1],
      ["pictures", 2],
    ]);
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const headersIn = (folder: string) =>
  readdirSync(join(data, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(I\d+|.*\.dcm)$/.test(entry.name))
    .map((entry) => readDicomHeader(readDicom(readFileSync(join(entry.parentPath, entry.name)))));

describe.skipIf(!existsSync(join(data, "ct-skull-phantom")))("real series (ARCADA_TEST_DATA)", () => {
  it("of a skull phantom: two volumes, one of them tilted; the localizer and the screen images stay separate", () => {
    const groups = groupSeries(headersIn("ct-skull-phantom/Philips"));
    expect(groups.map(({ kind, instances, problems }) => [kind, instances.length, problems[0]?.detail])).toEqual([
      ["volume", 140, undefined],
      ["volume", 54, "gantry tilt of 18.5°"],
      ["pictures", 1, undefined],
      ["pictures", 6, undefined],
    ]);
    expect(groups[0]?.spacing?.map((value) => Number(value.toFixed(4)))).toEqual([0.4512, 0.4512, 1]);
  });

  it("with file names out of order", () => {
    const groups = groupSeries(headersIn("series-pacsman"));
    expect(groups.map(({ kind, instances }) => [kind, instances.length])).toEqual([["volume", 128]]);
    expect(groups[0]?.instances.map(({ imagePosition }) => imagePosition?.[2])).toEqual([...Array(128).keys()]);
  });
});
