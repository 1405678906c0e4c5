import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicomHeader } from "../dicom/parse/dicom-header.ts";
import { readDicom } from "../dicom/parse/read-dicom.ts";
import { deriveUid, writeDicom, type DicomDataset } from "../dicom/write/write-dicom.ts";
import { groupSeries } from "./find-volumes-in-series.ts";
import { patientToVoxel, voxelToPatient, type Point } from "./voxel-to-patient.ts";
import type { Volume } from "./volume.ts";
import { buildVolume } from "./build-volume.ts";
import { present } from "@arcada/testing/require-present";

/**
 * A head whose grey values are a linear function of the position, which linear interpolation must reproduce exactly.
 */
const truth = ([x, y, z]: Readonly<Point>): number => 1000 + 10 * x + 20 * y + 5 * z;

const size = { columns: 24, rows: 20, slices: 16 } as const;
const spacing = { column: 0.4, row: 0.5, between: 0.8 } as const;

/** Planes that lean against the table's way by `degrees`: the table moves along z, as in a scanner. */
function tilted(degrees: number): { bytes: Uint8Array; index: number }[] {
  const angle = (degrees * Math.PI) / 180;
  const down = [0, Math.cos(angle), Math.sin(angle)] as const;
  return Array.from({ length: size.slices }, (_, index) => {
    const position: Point = [-5, -4, 30 + (index * spacing.between) / Math.cos(angle)];
    const values = Int16Array.from({ length: size.rows * size.columns }, (__, at) => {
      const [column, row] = [(at % size.columns) * spacing.column, Math.floor(at / size.columns) * spacing.row];
      return Math.round(truth([position[0] + column, position[1] + row * down[1], position[2] + row * down[2]]));
    });
    const dataset: DicomDataset = [
      [0x00080060, "CS", "CT"],
      [0x0020000d, "UI", deriveUid("tilt", "study")],
      [0x0020000e, "UI", deriveUid("tilt", "series")],
      [0x00200032, "DS", position.map((value) => value.toFixed(6))],
      [0x00200037, "DS", [1, 0, 0, ...down].map((value) => value.toFixed(8))],
      [0x00280002, "US", 1],
      [0x00280004, "CS", "MONOCHROME2"],
      [0x00280010, "US", size.rows],
      [0x00280011, "US", size.columns],
      [0x00280030, "DS", [String(spacing.row), String(spacing.column)]],
      [0x00280100, "US", 16],
      [0x00280101, "US", 16],
      [0x00280102, "US", 15],
      [0x00280103, "US", 1],
      [0x7fe00010, "OW", values],
    ];
    const sopClassUid = "1.2.840.10008.5.1.4.1.1.2";
    return { index, bytes: writeDicom(dataset, { sopClassUid, sopInstanceUid: deriveUid("tilt", degrees, index) }) };
  });
}

/** Returns the largest error of the volume's values at points that the scan reached, and the number of those points. */
function errorOf({ info, data }: Volume): { worst: number; known: number } {
  let [worst, known] = [0, 0];
  data.forEach((value, at) => {
    if (value === info.min) return;
    const [i, j] = [at % info.columns, Math.floor(at / info.columns) % info.rows];
    const index = voxelToPatient(info, [i, j, Math.floor(at / (info.columns * info.rows))]);
    worst = Math.max(worst, Math.abs(value - truth(index)));
    known += 1;
  });
  return { worst, known };
}

describe("a tilted scan", () => {
  it.each([18.5, -18.5, 30, 7])(
    "of %s° becomes an upright grid whose values stay where they were acquired",
    async (degrees) => {
      const files = tilted(degrees).map(({ bytes }) => readDicom(bytes));
      const [group, ...others] = groupSeries(files.map(readDicomHeader));
      expect(others).toEqual([]);
      expect(group).toMatchObject({ kind: "volume", problems: [{ code: "tilt" }] });
      const volume = await buildVolume(files);
      const { worst, known } = errorOf(volume);
      // Stored values are whole: half a grey value when written, half when interpolated, and two halves between rows.
      expect(worst).toBeLessThanOrEqual(1.01);
      expect(known).toBeGreaterThan(size.slices * (size.rows - 1) * (size.columns - 1) * 0.98);
      expect(volume.info.spacing.map((value) => Number(value.toFixed(4)))).toEqual([0.4, 0.5, 0.8]);
    },
  );
});

const folder = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ct-skull-phantom/Philips");

describe.skipIf(!existsSync(folder))("a real scan at −18.5° (ARCADA_TEST_DATA)", () => {
  it("keeps every pixel at its place in the patient", { timeout: 60_000 }, async () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^I\d+$/.test(entry.name))
      .map((entry) => readDicom(readFileSync(join(entry.parentPath, entry.name))));
    const byUid = new Map(files.map((file) => [readDicomHeader(file).sopInstanceUid, file]));
    const group = groupSeries(files.map(readDicomHeader)).find(({ problems }) => problems[0]?.code === "tilt");
    const slices = group?.instances.map((header) => present(byUid.get(header.sopInstanceUid))) ?? [];
    const { info, data } = await buildVolume(slices);
    const middle = readDicomHeader(slices[slices.length >> 1]);
    const [row, column] = present(middle.pixelSpacing, "pixelSpacing");
    const orientation = present(middle.imageOrientation, "imageOrientation");
    // The centre of that image, by its own header alone.
    const index = [0, 1, 2].map(
      (axis) =>
        present(middle.imagePosition, "imagePosition")[axis] +
        256 * column * orientation[axis] +
        256 * row * orientation[3 + axis],
    ) as Point;
    const [i, j, k] = patientToVoxel(info, index);
    expect(k).toBeCloseTo(slices.length >> 1, 2);
    const original = await buildVolume([slices[slices.length >> 1]]);
    const read = (volume: Int16Array, wide: number, at: number) => {
      const [whole, part] = [Math.floor(j), j - Math.floor(j)];
      return volume[at + whole * wide] * (1 - part) + volume[at + (whole + 1) * wide] * part;
    };
    const found = read(data, info.columns, Math.round(k) * info.rows * info.columns + Math.round(i));
    expect(Math.abs(found - original.data[256 * 512 + 256])).toBeLessThan(60);
    expect(info.rows).toBeGreaterThan(512);
  });
});
