import { describe, expect, it } from "vitest";
import { readDicomHeader, type DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { jawInName, planStudies, type ReadableFile } from "./plan-studies.ts";

const patient = { id: "1", name: "A", sex: "O", birthDate: "19900101" } as const;
const slices: ReadableFile[] = [
  ...createCbctFiles(makeHead("plan"), patient, { size: { columns: 16, rows: 16, slices: 9, voxel: 8 } }),
].map(({ name, bytes }) => ({ name, format: "dicom", header: readDicomHeader(readDicom(bytes)), sha256: name }));
const film: ReadableFile = { name: "film.jpg", format: "jpeg", image: { width: 1000, height: 800, colour: false } };
const scans: ReadableFile[] = [
  { name: "a.stl", format: "stl" },
  { name: "b.ply", format: "ply" },
];

describe("the studies of one upload", () => {
  it("are its DICOM studies, each image by itself, and one of all models", () => {
    const plan = planStudies([...scans, film, ...slices], null);
    expect(
      plan.map(({ kind, kindCertain, series }) => [kind, kindCertain, series.map((one) => one.files.length)]),
    ).toEqual([
      ["ct", true, [9]],
      ["dentalFilm", false, [1]],
      ["model", true, [2]],
    ]);
    expect(plan[0].series[0].files.map(({ file }) => file.name)).toEqual(slices.map(({ name }) => name));
  });

  it("are of the kind that was chosen, where that is possible", () => {
    expect(planStudies([film, ...scans], "lateralCeph").map(({ kind, kindCertain }) => [kind, kindCertain])).toEqual([
      ["lateralCeph", true],
      ["model", true],
    ]);
    expect(planStudies(slices, "panorama")).toMatchObject([{ kind: "ct" }]);
    expect(planStudies([film], "model")).toMatchObject([{ kind: "dentalFilm", kindCertain: false }]);
  });

  it("store a file once that came twice, but keep other bytes under its UID", () => {
    const repeated = planStudies(
      [...slices, { ...slices[4] }, { ...slices[4], sha256: "changed" } as ReadableFile],
      null,
    );
    expect(repeated).toHaveLength(1);
    expect(repeated[0].series.map(({ kind, files }) => [kind, files.length])).toEqual([
      ["volume", 9],
      ["pictures", 1],
    ]);
  });
});

it("a volume reports over how many of its slices drawings are not displayed", () => {
  const drawn = slices.map((slice, place): ReadableFile =>
    slice.format === "dicom" && place < 2 ? { ...slice, header: { ...slice.header, hasOverlay: true } } : slice,
  );
  expect(planStudies(drawn, null)[0].series[0].problems).toEqual([{ code: "overlayUnused", detail: "2" }]);
  expect(planStudies(slices, null)[0].series[0].problems).toEqual([]);
});

describe("lossy compression", () => {
  const stored = (change: Partial<DicomHeader>) =>
    slices.map((slice): ReadableFile =>
      slice.format === "dicom" ? { ...slice, header: { ...slice.header, ...change } } : slice,
    );
  const problems = (files: readonly ReadableFile[]) => planStudies(files, null)[0].series[0].problems;

  it("is reported for a volume with its ratios", () => {
    expect(problems(stored({ lossy: true, lossyRatios: [12.345, 2] }))).toEqual([
      { code: "lossy", detail: "12.3:1, 2:1" },
    ]);
    expect(problems(stored({ lossy: true }))).toEqual([{ code: "lossy", detail: "" }]);
  });

  it("is reported for a grey JPEG, on which people measure, and not for a photo or a PNG", () => {
    const colour = { ...film, image: { width: 1000, height: 800, colour: true } } as ReadableFile;
    expect([film, colour, { ...film, format: "png" } as ReadableFile].map((file) => problems([file]))).toEqual([
      [{ code: "lossy", detail: "" }],
      [],
      [],
    ]);
  });
});

describe("the jaw of a scan", () => {
  it.each([
    ["case0-upper.stl", "upper"],
    ["Patient_LowerJaw.ply", "lower"],
    ["maxillary arch.obj", "upper"],
    ["MANDIBLE.stl", "lower"],
    ["上颌.stl", "upper"],
    ["下颌.stl", "lower"],
    ["scan_L.stl", "lower"],
    ["bite upper-lower.stl", null],
    ["group.stl", null],
    ["scan.stl", null],
  ])("of %s is %s", (name, jaw) => expect(jawInName(name)).toBe(jaw));
});
