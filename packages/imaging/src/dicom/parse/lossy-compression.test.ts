import { expect, it } from "vitest";
import { readDicomHeader } from "./dicom-header.ts";
import { readDicom } from "./read-dicom.ts";
import { writeDicom, type DicomDataset } from "../write/write-dicom.ts";

const readLossy = (elements: DicomDataset, syntax?: string) => {
  const dataset: DicomDataset = [[0x00080060, "CS", "CT"], ...elements];
  const file = readDicom(writeDicom(dataset, { sopClassUid: "1.2.840.10008.5.1.4.1.1.2", sopInstanceUid: "1.2.3" }));
  const { lossy, lossyRatios } = readDicomHeader({ ...file, transferSyntax: syntax ?? file.transferSyntax });
  return [lossy, ...lossyRatios];
};

it("data that were lossy at some time say so, with the ratio of each step", () => {
  expect(readLossy([])).toEqual([false]);
  expect(
    readLossy([
      [0x00282110, "CS", "01"],
      [0x00282112, "DS", ["12.5", "2"]],
    ]),
  ).toEqual([true, 12.5, 2]);
  // The ratio alone indicates it, too.
  expect(readLossy([[0x00282112, "DS", "8"]])).toEqual([true, 8]);
});

it("a syntax that cannot be lossless marks the data as lossy, and one that can be either does if nothing states the contrary", () => {
  const syntax = (last: number) => `1.2.840.10008.1.2.4.${last}`;
  const lossless: DicomDataset = [[0x00282110, "CS", "00"]];
  expect([50, 51, 81, 91, 203, 70, 80, 90, 201].map((last) => readLossy([], syntax(last))[0])).toEqual([
    ...Array.from({ length: 5 }, () => true),
    ...Array.from({ length: 4 }, () => false),
  ]);
  expect([50, 91].map((last) => readLossy(lossless, syntax(last))[0])).toEqual([true, false]);
});

it("a file that states thousands of ratios, or absurd ones, passes four sensible ones on", () => {
  const many = ["1e300", ...Array.from({ length: 1000 }, () => "3")];
  expect(readLossy([[0x00282112, "DS", many]])).toEqual([true, 3, 3, 3, 3]);
});
