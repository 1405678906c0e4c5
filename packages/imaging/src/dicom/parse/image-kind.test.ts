import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicomHeader, type DicomHeader } from "./dicom-header.ts";
import { guessImageKind, guessPlainImageKind, isSingleImage } from "./image-kind.ts";
import { readDicom } from "./read-dicom.ts";

const plate: Parameters<typeof guessImageKind>[0] = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  modality: "DX",
  bodyPart: "",
  anatomicRegion: "",
  viewPosition: "",
  imageType: ["DERIVED", "PRIMARY"],
  studyDescription: "",
  seriesDescription: "",
  protocolName: "",
  rows: 1500,
  columns: 3000,
  frames: 1,
  samplesPerPixel: 1,
  pixelSpacing: null,
  imagerPixelSpacing: [0.1, 0.1],
  imageOrientation: null,
};
const kind = (change: Partial<DicomHeader>) => {
  const guess = guessImageKind({ ...plate, ...change });
  return guess.isCertain ? guess.kind : `${guess.kind}?`;
};

describe("the kind of a DICOM image", () => {
  it("is certain if the modality or the SOP class states it", () => {
    expect(kind({ modality: "PX" })).toBe("panorama");
    expect(kind({ modality: "IO", sopClassUid: "1.2.840.10008.5.1.4.1.1.1.3" })).toBe("dentalFilm");
    expect(kind({ modality: "DX", sopClassUid: "1.2.840.10008.5.1.4.1.1.13.1.2" })).toBe("ct");
    expect(kind({ modality: "XC", samplesPerPixel: 3 })).toBe("photo");
  });

  it("is a guess from words in English and Chinese", () => {
    expect(kind({ seriesDescription: "Ceph Lateral", rows: 2400, columns: 1900 })).toBe("lateralCeph?");
    expect(kind({ studyDescription: "头颅侧位片", rows: 2400, columns: 1900 })).toBe("lateralCeph?");
    expect(kind({ studyDescription: "口腔全景片", rows: 1500, columns: 1500 })).toBe("panorama?");
    expect(kind({ protocolName: "Bite-wing left" })).toBe("dentalFilm?");
    expect(kind({ bodyPart: "HAND", rows: 2000, columns: 1500 })).toBe("xRay?");
    expect(kind({ seriesDescription: "PA Ceph", rows: 2400, columns: 1900 })).toBe("xRay?");
  });

  it("is a guess from the size in millimetres where words are missing", () => {
    expect(kind({})).toBe("panorama?");
    expect(kind({ rows: 1300, columns: 900, imagerPixelSpacing: [0.03, 0.03] })).toBe("dentalFilm?");
    expect(kind({ rows: 2400, columns: 1900, bodyPart: "SKULL" })).toBe("lateralCeph?");
    expect(kind({ rows: 3000, columns: 2500 })).toBe("xRay?");
    expect(kind({ modality: "MR" })).toBe("xRay?");
  });
});

describe("the class and the position of a DICOM object", () => {
  it.each([
    ["a radiograph", "1.1", false, true],
    ["an intra-oral radiograph", "1.3", false, true],
    ["a slice that a device calls a radiograph", "1.1", true, false],
    ["a slice", "2", true, false],
    ["a secondary capture, which may be a slice", "7", false, false],
    ["a presentation state", "11.1", false, false],
  ])("tell whether it is an image by itself: %s", (_, suffix, hasPosition, expected) =>
    expect(isSingleImage({ sopClass: `1.2.840.10008.5.1.4.1.1.${suffix}`, hasPosition })).toBe(expected),
  );
});

describe("the kind of a plain image", () => {
  it("is guessed from colour and shape", () => {
    expect(guessPlainImageKind({ width: 4000, height: 3000, colour: true })).toEqual({
      kind: "photo",
      isCertain: false,
    });
    expect(guessPlainImageKind({ width: 2800, height: 1400, colour: false }).kind).toBe("panorama");
    // The sizes of the real cephalogram and bitewing of the test data.
    expect(guessPlainImageKind({ width: 4096, height: 5120, colour: false }).kind).toBe("lateralCeph");
    expect(guessPlainImageKind({ width: 1356, height: 1030, colour: false }).kind).toBe("dentalFilm");
    expect(guessPlainImageKind({ width: 2400, height: 1700, mmPerPixel: 0.02, colour: false }).kind).toBe("dentalFilm");
  });

  it.each([
    // Cephalograms as programs export them: plates of 8 × 10 inches, 24 × 30 and 18 × 24 cm.
    [640, 800, "lateralCeph"],
    [1340, 1671, "lateralCeph"],
    [1000, 1000, "lateralCeph"],
    [1935, 2400, "lateralCeph"],
    [1800, 2400, "lateralCeph"],
    // Sensors of sizes 0, 1 and 2, both ways round, and plates of size 2.
    [700, 1113, "dentalFilm"],
    [800, 1200, "dentalFilm"],
    [1200, 800, "dentalFilm"],
    [1200, 1600, "dentalFilm"],
    [1600, 1200, "dentalFilm"],
    [1030, 1356, "dentalFilm"],
    [1024, 1344, "dentalFilm"],
    [400, 400, "dentalFilm"],
    // Panoramas at full size and at half of it.
    [2943, 1435, "panorama"],
    [1400, 700, "panorama"],
  ])("of %i × %i pixels without a resolution", (width, height, expected) => {
    expect(guessPlainImageKind({ width, height, colour: false })).toEqual({ kind: expected, isCertain: false });
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";

describe.skipIf(!existsSync(join(data, "pano-dicom")))("the kind of real files (ARCADA_TEST_DATA)", () => {
  it.each([
    ["pano-dicom/pano-CR-ModalityLUT.dcm", { kind: "panorama", isCertain: false }],
    ["ct-skull-phantom/Philips/S21570/S2030/I10", { kind: "ct", isCertain: true }],
    ["vl-photo-ortho/vl-photo-line-drawing.dcm", { kind: "photo", isCertain: true }],
  ])("%s", (path, expected) => {
    expect(guessImageKind(readDicomHeader(readDicom(readFileSync(join(data, path)))))).toEqual(expected);
  });
});
