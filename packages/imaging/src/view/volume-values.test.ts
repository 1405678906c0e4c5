import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicomHeader } from "../dicom/parse/dicom-header.ts";
import { readDicom } from "../dicom/parse/read-dicom.ts";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { groupSeries } from "../volume/find-volumes-in-series.ts";
import { patientToVoxel, voxelToPatient } from "../volume/voxel-to-patient.ts";
import { measureRegion } from "./grey-value-statistics.ts";
import { fitPlaneView, viewportToPatient, planeNames, anatomicalPlanes } from "./plane-view.ts";
import { rescaleValue } from "./rescale-to-grey-values.ts";
import { defaultPlanes, rotatePlanes } from "./oblique-planes.ts";
import { distance, dot, lengthOf, minus, plus, times, type Vector } from "../geometry/vector.ts";
import { findVoxel, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { createPlaneGrid, sampleVolumeProfile, interpolateValue, type VolumeValues } from "./volume-values.ts";
import { buildVolume } from "../volume/build-volume.ts";

/** Grey values of a function of the patient point, at the voxels of a slanted grid. */
function made(
  field: (point: Vector) => number,
  [nx, ny, nz] = [60, 56, 44],
): VolumeValues & { geometry: VolumeGeometry } {
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  const geometry: VolumeGeometry = {
    columns: nx,
    rows: ny,
    slices: nz,
    spacing: [0.4, 0.4, 0.5],
    origin: [-8, -14, 20],
    direction: [cos, sin, 0, -sin, cos, 0, 0, 0, 1],
  };
  return { geometry, value: (column, row, slice) => field(voxelToPatient(geometry, [column, row, slice])) };
}
const ramp = ([x, y, z]: Vector) => 3 * x - 2 * y + 5 * z + 100;
const turned = rotatePlanes(rotatePlanes(defaultPlanes, "axial", 24), "coronal", -17);
const middle = voxelToPatient(made(ramp).geometry, [30, 28, 22]);

describe("grey values in a volume", () => {
  it("are linear between voxels, and absent outside or where a slice has not come", () => {
    const volume = made(ramp);
    expect(interpolateValue(volume, middle)).toBeCloseTo(ramp(middle), 6);
    const between: Vector = [middle[0] + 0.13, middle[1] - 0.21, middle[2] + 0.29];
    expect(interpolateValue(volume, between)).toBeCloseTo(ramp(between), 6);
    expect(interpolateValue(volume, [500, 0, 0])).toBeNull();
    const late = { ...volume, value: (c: number, r: number, s: number) => (s > 22 ? null : volume.value(c, r, s)) };
    expect(interpolateValue(late, between)).toBeNull();
  });

  it("follow a line in an oblique plane", () => {
    const from = plus(middle, times(turned.sagittal.right, -6));
    const to = plus(middle, times(turned.sagittal.right, 5));
    const { values, length } = sampleVolumeProfile(made(ramp), from, to);
    expect(length.value).toBeCloseTo(11, 9);
    values.forEach((value, at) =>
      expect(value).toBeCloseTo(ramp(plus(from, times(minus(to, from), at / (values.length - 1)))), 6),
    );
  });

  it.each(planeNames)("of a sphere's disc have its area and its mean in a turned %s plane", (name) => {
    const radius = 5;
    const ball = made((point) => (distance(point, middle) < radius ? 1000 : 0));
    const { grid, toGrid } = createPlaneGrid(ball, turned[name], middle);
    const corner = (by: number) => {
      const { right, down } = turned[name];
      return toGrid(plus(plus(middle, times(right, by)), times(down, by)));
    };
    const inside = measureRegion(grid, "ellipse", corner(-radius + 0.6), corner(radius - 0.6));
    for (const value of [inside?.mean, inside?.min, inside?.max]) expect(value).toBeCloseTo(1000, 6);
    expect(inside?.area.value).toBeCloseTo(Math.PI * (radius - 0.6) ** 2, 6);
    // The disc's share of a square around it is π/4.
    const around = measureRegion(grid, "rectangle", corner(-radius), corner(radius));
    expect(Math.abs((around?.mean ?? 0) / 1000 - Math.PI / 4)).toBeLessThan(0.02);
  });

  it("are the volume's own pixels where the plane lies along them", () => {
    const straight = made(ramp);
    const volume = {
      ...straight,
      geometry: { ...straight.geometry, direction: [0, 0, 1, -1, 0, 0, 0, -1, 0] as const },
    };
    const values = { ...volume, value: (c: number, r: number, s: number) => c * 10_000 + r * 100 + s };
    const at = voxelToPatient({ ...volume.geometry, direction: [...volume.geometry.direction] }, [7, 9, 11]);
    const geometry = { ...volume.geometry, direction: [...volume.geometry.direction] as VolumeGeometry["direction"] };
    const { grid, toGrid } = createPlaneGrid({ ...values, geometry }, anatomicalPlanes.coronal, at);
    const [x, y] = toGrid(at);
    expect(grid.value(Math.floor(x), Math.floor(y))).toBe(70_911);
    expect([x % 1, y % 1].map((part) => part.toFixed(6))).toEqual(["0.500000", "0.500000"]);
  });
});

describe("lengths and angles on a phantom", () => {
  // Two small balls: a reader clicks where their spots' middles are on the screen.
  it.each([
    ["straight", defaultPlanes],
    ["oblique", turned],
  ] as const)("are right within half a voxel in three %s planes", (_name, set) => {
    for (const name of planeNames) {
      const plane = set[name];
      const along = plus(times(plane.right, 0.8), times(plane.down, -0.6));
      const [one, other] = [plus(middle, times(along, -4.1)), plus(middle, times(along, 3.7))];
      const bright = (point: Vector) =>
        Math.max(...[one, other].map((ball) => 1000 * Math.exp(-((distance(point, ball) / 0.6) ** 2))));
      const volume = made(bright);
      const viewport = { width: 400, height: 300 };
      const view = {
        ...fitPlaneView(volume.geometry, plane, viewport),
        middle: [dot(middle, plane.right), dot(middle, plane.down)] as const,
        scale: 20,
      };
      const depth = dot(middle, plane.away);
      const peak = (left: boolean): Vector => {
        let [sum, across, down] = [0, 0, 0];
        for (let y = 0; y < viewport.height; y += 4)
          for (let x = left ? 0 : 202; x < (left ? 200 : 400); x += 4) {
            const value = interpolateValue(volume, viewportToPatient(plane, view, viewport, [x, y], depth)) ?? 0;
            if (value < 300) continue;
            [sum, across, down] = [sum + value, across + value * x, down + value * y];
          }
        return viewportToPatient(plane, view, viewport, [across / sum, down / sum], depth);
      };
      const [a, b] = [peak(true), peak(false)];
      expect(Math.abs(distance(a, b) - 7.8)).toBeLessThan(0.2);
      const slant = (Math.acos(dot(minus(b, a), along) / lengthOf(minus(b, a))) * 180) / Math.PI;
      expect(slant).toBeLessThan(2);
    }
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const dcmtk = ["/usr/bin/dcmdump", "/usr/local/bin/dcmdump"].find(existsSync) ?? "";
const series = [
  ["a head in axial slices whose rows run backwards", "series-pacsman"],
  ["a skull in axial slices", "ct-skull-phantom/Philips/S21570/S2030"],
] as const;

describe.skipIf(!dcmtk)("the value under the cursor (DCMTK)", () => {
  it.skipIf(!existsSync(join(data, "series-pacsman"))).each(series)(
    "is that which DCMTK reads at this place: %s (ARCADA_TEST_DATA)",
    { timeout: 30_000 },
    async (_name, folder) => {
      const files = readdirSync(join(data, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(data, folder, name))
        .filter((file) => readFileSync(file).toString("latin1", 128, 132) === "DICM");
      await readsAsDcmtk(files, 50);
    },
  );

  it("is that which DCMTK reads at this place: a generated CBCT", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arcada-cbct-"));
    try {
      const who = { id: "1", name: "One", sex: "O", birthDate: "19900101" } as const;
      const size = { columns: 72, rows: 64, slices: 40, voxel: 2 };
      const files = [...createCbctFiles(makeHead("values"), who, { size })].map(({ bytes }, at) => {
        const file = join(folder, String(at));
        writeFileSync(file, bytes);
        return file;
      });
      await readsAsDcmtk(files, files.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/**
 * Compares three slices of the largest series among the files with DCMTK, in a volume built of that series' first
 * slices.
 */
async function readsAsDcmtk(files: readonly string[], most: number): Promise<void> {
  const read = files.map((file) => ({ file, dicom: readDicom(readFileSync(file)) }));
  const [group] = groupSeries(read.map(({ file, dicom }) => ({ ...readDicomHeader(dicom), file, dicom }))).toSorted(
    (one, other) => other.instances.length - one.instances.length,
  );
  const slices = (group?.instances ?? []).slice(0, most);
  const { info, data: values } = await buildVolume(slices.map(({ dicom }) => dicom));
  for (const { file } of [0.2, 0.5, 0.9].map((part) => slices[Math.floor(slices.length * part)])) {
    const image = readByDcmtk(file);
    for (let tried = 0; tried < 12; tried++) {
      const [column, row] = [(tried * 37 + 20) % image.columns, (tried * 53 + 31) % image.rows];
      const place = image.placeOf(column, row);
      const [i, j, k] = findVoxel(info, place) ?? [-1, -1, -1];
      expect(rescaleValue(info, values[(k * info.rows + j) * info.columns + i] ?? NaN)).toBe(
        image.valueOf(column, row),
      );
      expect(Math.max(...patientToVoxel(info, place).map((at) => Math.abs(at % 1) % 0.999))).toBeLessThan(0.01);
    }
  }
}

/** By DCMTK alone: its words for the header, its raw bytes for the pixels. */
function readByDcmtk(file: string) {
  const scratch = mkdtempSync(join(tmpdir(), "arcada-dcmtk-"));
  const told = execFileSync(dcmtk, ["-q", "+W", scratch, file]).toString("latin1");
  const raw = readFileSync(join(scratch, readdirSync(scratch)[0]));
  rmSync(scratch, { recursive: true });
  const numbers = (tag: string, nothing: number[]): number[] => {
    const found = new RegExp(`^\\(${tag}\\) \\w\\w \\[?([^\\]#]*)`, "m").exec(told)?.[1]?.trim();
    return found ? found.split("\\").map(Number) : nothing;
  };
  const [rows, columns] = [numbers("0028,0010", [])[0], numbers("0028,0011", [])[0]];
  const [slope, intercept] = [numbers("0028,1053", [1])[0], numbers("0028,1052", [0])[0]];
  const [x, y, z, a, b, c] = numbers("0020,0037", []) as [number, number, number, number, number, number];
  const [down, across] = numbers("0028,0030", []) as [number, number];
  const [px, py, pz] = numbers("0020,0032", []) as [number, number, number];
  const isSigned = numbers("0028,0103", [0])[0] === 1;
  return {
    rows,
    columns,
    placeOf: (column: number, row: number): Vector => [
      px + column * across * x + row * down * a,
      py + column * across * y + row * down * b,
      pz + column * across * z + row * down * c,
    ],
    valueOf: (column: number, row: number): number => {
      const at = (row * columns + column) * 2;
      return (isSigned ? raw.readInt16LE(at) : raw.readUInt16LE(at)) * slope + intercept;
    },
  };
}
