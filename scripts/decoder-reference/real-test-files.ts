import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The folder of the real files for tests. They are never part of the repository. */
export const testData = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";

export const hasTestData = existsSync(join(testData, "dicom-syntaxes"));

/** Every DICOM file of the collections that hold odd ones, and a sample of the two long series; paths below `testData`. */
export const comparisonFiles = (): string[] =>
  [
    ...listFiles("dicom-syntaxes/files", /\.dcm$/),
    ...listFiles("dicom-data2", /\.dcm$/),
    ...listFiles("dcm4che-img", /\.dcm$/),
    ...listFiles("dicom-charsets", /\.dcm$/),
    ...listFiles("dicom-gb2312", /\.dcm$/),
    ...listFiles("pano-dicom", /\.dcm$/),
    ...listFiles("vl-photo-ortho", /\.dcm$/),
    "ct-skull-phantom/Philips/S21570/S1000/I10",
    "ct-skull-phantom/Philips/S21570/S2030/I10",
    "ct-skull-phantom/Philips/S21570/S2030/I700",
    "ct-skull-phantom/Philips/S21570/S4010/I10",
    "series-pacsman/slice1.dcm",
    "series-pacsman/slice100.dcm",
  ].filter((path) => existsSync(join(testData, path)));

const listFiles = (folder: string, names: RegExp): string[] =>
  existsSync(join(testData, folder))
    ? readdirSync(join(testData, folder))
        .filter((name) => names.test(name))
        .sort()
        .map((name) => `${folder}/${name}`)
    : [];
