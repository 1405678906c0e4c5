import { describe, expect, it } from "vitest";
import { createCbctVolume, type CbctSize, type CbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead, type HeadTruth } from "@arcada/phantom/anatomy/head";
import { distance, dot, plus, times, type Vector } from "../../geometry/vector.ts";
import type { VolumeGeometry } from "../../volume/volume-geometry.ts";
import { findVoxel } from "../../volume/volume-geometry.ts";
import { createJawCurve } from "@arcada/phantom/anatomy/arch-curve";
import { detectArches, guessArch } from "./detect-arches.ts";
import {
  createCurvedSurface,
  patientToCurvedSurface,
  curvedSurfaceToPatient,
  type CurvedSurface,
} from "../curved-surface.ts";
import { jaws, type DetectedArches, type Jaw } from "./detected-arches.ts";
import { present } from "@arcada/testing/require-present";

const whole = process.env["ARCADA_PROOF"] === "full";
/** As coarse as the preview of a CBCT of 0.3 mm. */
const size: CbctSize = whole
  ? { columns: 128, rows: 128, slices: 80, voxel: 1.2 }
  : { columns: 100, rows: 100, slices: 54, voxel: 1.4 };

interface Loss {
  missing?: readonly number[];
  crowned?: readonly number[];
}
const losses: readonly Loss[] = [
  {},
  { missing: [46, 47, 36, 24, 25, 11] },
  { crowned: [16, 15, 26, 36, 46, 45, 21, 22] },
];
const seeds = whole ? ["a", "b", "c", "d"] : ["a"];
const turns = whole ? [-15, -7.5, 0, 7.5, 15] : [-15, 15];
const tilts = whole ? [-10, -5, 0, 5, 10] : [-10, 10];

describe("the first guess of a dental arch", () => {
  it("follows the teeth of turned and tilted heads with gaps and metal within 2 mm", { timeout: 1_200_000 }, () => {
    const fromTeeth: number[] = [];
    const fromLine: number[] = [];
    for (const seed of seeds) {
      for (const loss of whole ? losses : losses.slice(1)) {
        const { head, volume } = phantom(seed, loss);
        for (const turn of turns) {
          for (const tilt of tilts) {
            // The head nods one way and leans the other.
            const turned = turnedBy(turn, tilt, whole ? tilt : -tilt / 2);
            const guess = guessArch(turnedGeometry(volume, turned), volume.data);
            expect(guess, `${seed} ${turn} ${tilt}`).not.toBeNull();
            for (const jaw of jaws) {
              const found = createCurvedSurface(guess![jaw], guess!.up)!;
              fromTeeth.push(...teethOf(head, jaw).map(({ neck }) => offCurvedSurface(found, turned(neck))));
              fromLine.push(...offLine(found, trueCurvedSurface(head, jaw, turned)));
            }
          }
        }
      }
    }
    const told = { teeth: spread(fromTeeth), line: spread(fromLine) };
    if (whole) console.info(JSON.stringify(told));
    expect(told.teeth.p95).toBeLessThan(2);
    expect(told.line.p95).toBeLessThan(2);
    expect(told.teeth.median).toBeLessThan(0.6);
  });

  it("is nothing where there is no arch: noise, a block of bone, a level field", { timeout: 60_000 }, () => {
    const box = { columns: 64, rows: 64, slices: 48, voxel: 1.5 };
    const made = (value: (x: number, y: number, z: number) => number): CbctVolume => ({
      ...box,
      origin: [-48, -48, -36],
      data: Int16Array.from({ length: 64 * 64 * 48 }, (_, at) =>
        value(at % 64, Math.floor(at / 64) % 64, Math.floor(at / 4096)),
      ),
    });
    for (const volume of [
      made(() => 100),
      made((x, y, z) => ((x * 7919 + y * 104_729 + z * 1_299_709) % 2003) - 1000),
      made((x, y, z) => (Math.max(Math.abs(x - 32), Math.abs(y - 32), Math.abs(z - 24)) < 14 ? 1500 : -900)),
    ])
      expect(
        guessArch(
          turnedGeometry(volume, (point) => point),
          volume.data,
        ),
      ).toBeNull();
  });
});

describe("the line behind the teeth", () => {
  const turned = turnedBy(12, 6, -4);
  const heads = {
    upright: phantom("a", {}),
    "without molars": phantom("b", { missing: [36, 37, 38, 46, 47, 48, 16, 17, 18] }),
    lopsided: lopsided(phantom("c", {})),
  };

  it("follows both rami of turned, lopsided and partly toothless heads within 3 mm", { timeout: 60_000 }, () => {
    for (const [name, { head, volume, stretched }] of Object.entries(heads)) {
      for (const way of [turned, (point: Vector) => point]) {
        const guess = guessArch(turnedGeometry(volume, way), volume.data)!;
        for (const jaw of jaws) {
          const path = createCurvedSurface(guess[jaw], guess.up)!;
          const off = ramusOf(head).map((place) => Math.abs(patientToCurvedSurface(path, way(stretched(place))).out));
          expect(Math.max(...off), `${name} ${jaw}`).toBeLessThan(3);
        }
      }
    }
  });

  it("is no part of the arch that is measured: its length is the true one between its own ends, within 3 %", () => {
    for (const [name, { head, volume, stretched }] of Object.entries(heads)) {
      const way = (point: Vector) => turned(stretched(point));
      const found = detectArches(turnedGeometry(volume, turned), volume.data)!;
      for (const jaw of jaws) {
        const path = createCurvedSurface(found[jaw]!, found.up)!;
        const truth = createCurvedSurface(lineOf(head, jaw).map(way), turned([0, 0, 1]))!;
        const feet = path.points.map(
          (point) => patientToCurvedSurface(truth, plus(point, times(path.up, path.level))).along,
        );
        // The true line ends 58 mm from its middle: feet beyond are all at its end.
        const [from, to] = [feet.findIndex((at) => at > 0.5), feet.findLastIndex((at) => at < truth.length - 0.5)];
        const error = ((to - from) * path.step) / (feet[to] - feet[from]) - 1;
        expect(Math.abs(error), `${name} ${jaw}`).toBeLessThan(0.03);
        expect(createCurvedSurface(wholeOf(found, jaw), found.up)?.length, `${name} ${jaw}`).toBeGreaterThan(
          path.length + 50,
        );
      }
    }
  });

  it("ends inside the field, and reports which ramus, condyle or chin the field cuts", () => {
    const { volume } = heads.upright;
    const cutAt = (right: number, back: number, low: number, high: number) => {
      const part = partOf(volume, { right, back, low, high });
      const geometry = turnedGeometry(part, (point) => point);
      const guess = present(guessArch(geometry, part.data));
      for (const jaw of jaws)
        for (const point of guess[jaw]) expect(findVoxel(geometry, point), `${jaw} ${point}`).not.toBeNull();
      return guess.edges;
    };
    const whole = phantom("a", {}, { columns: 128, rows: 128, slices: 80, voxel: 1.2 }).volume;
    expect(
      guessArch(
        turnedGeometry(whole, (point) => point),
        whole.data,
      )?.edges,
    ).toEqual([]);
    expect(cutAt(0, 0, 0, 0)).toContain("chin");
    expect(cutAt(0, 0, 0, 12)).toEqual(["rightCondyle", "leftCondyle", "chin"]);
    expect(cutAt(0, 40, 0, 0)).toEqual(["rightRamus", "leftRamus", "chin"]);
    expect(cutAt(24, 0, 0, 0)).toContain("rightRamus");
    expect(cutAt(24, 0, 0, 0)).not.toContain("leftRamus");
  });
});

type Turned = (point: Vector) => Vector;

const wholeOf = (found: DetectedArches, jaw: Jaw): Vector[] => [
  ...found.behind[jaw].right.toReversed(),
  ...present(found[jaw]),
  ...found.behind[jaw].left,
];

/** The middle of the true line of the teeth. */
const lineOf = ({ arch }: HeadTruth, jaw: Jaw): Vector[] => arch[jaw].filter((_, at) => at % 8 === 0);

/** Points in the middle of both rami, over the plane where the teeth meet. */
function ramusOf({ scale }: HeadTruth): Vector[] {
  const curve = createJawCurve(scale);
  return [66, 72, 78, 84, 90].flatMap((place) =>
    [-1, 1].map((side): Vector => {
      const { x, y } = curve.at(side * place * scale);
      return [x, y, 4];
    }),
  );
}

/** The patient's left half is 8 % wider than the right. */
function lopsided({ head, volume }: Phantom): Phantom {
  const wider = 1.08;
  const { columns, voxel, origin, data } = volume;
  const from = Array.from({ length: columns }, (_, column) => {
    const x = origin[0] + column * voxel;
    return Math.round(((x > 0 ? x / wider : x) - origin[0]) / voxel);
  });
  const wide = Int16Array.from(data, (_, at) => data[at - (at % columns) + from[at % columns]]);
  return {
    head,
    volume: { ...volume, data: wide },
    stretched: ([x, y, z]) => [x > 0 ? x * wider : x, y, z],
  };
}

/** The volume without the given number of columns on the right, rows at the back, and slices below and above. */
function partOf(volume: CbctVolume, { right, back, low, high }: Record<string, number>): CbctVolume {
  const size = { columns: volume.columns - right, rows: volume.rows - back, slices: volume.slices - low - high };
  const [x, y, z] = volume.origin;
  const data = Int16Array.from({ length: size.columns * size.rows * size.slices }, (_, at) => {
    const [column, row] = [at % size.columns, Math.floor(at / size.columns) % size.rows];
    const slice = Math.floor(at / (size.columns * size.rows));
    return volume.data[((slice + low) * volume.rows + row) * volume.columns + column + right];
  });
  return { ...volume, ...size, origin: [x + right * volume.voxel, y, z + low * volume.voxel], data };
}

/** The head with these teeth lost or under metal crowns. */
function phantom(seed: string, { missing = [], crowned = [] }: Loss, of = size): Phantom {
  const head = makeHead(seed);
  const teeth = head.teeth.map((tooth) => {
    if (missing.includes(tooth.fdi)) return { ...tooth, state: "missing" as const };
    return crowned.includes(tooth.fdi) ? { ...tooth, state: "crowned" as const } : tooth;
  });
  const changed = { ...head, teeth };
  return { head: changed, volume: createCbctVolume(changed, of), stretched: (point) => point };
}

interface Phantom {
  head: HeadTruth;
  volume: CbctVolume;
  /** Maps a point of the head to its point in the volume. */
  stretched: Turned;
}

/** Turned to a side about the patient's upright, nodded and leant; in degrees, about the middle of the head. */
function turnedBy(turn: number, nod: number, lean: number): Turned {
  const [a, b, c] = [turn, nod, lean].map((degrees) => (degrees * Math.PI) / 180);
  const rotate = (x: number, y: number, angle: number): [number, number] => [
    x * Math.cos(angle) - y * Math.sin(angle),
    x * Math.sin(angle) + y * Math.cos(angle),
  ];
  return ([x, y, z]) => {
    const [lx, lz] = rotate(x, z, -c);
    const [ny, nz] = rotate(y, lz, b);
    const [tx, ty] = rotate(lx, ny, a);
    return [tx, ty, nz];
  };
}

/** The same voxels, the patient lying otherwise: nothing is resampled, and no axis of the grid is the patient's. */
function turnedGeometry({ columns, rows, slices, voxel, origin }: CbctVolume, turned: Turned): VolumeGeometry {
  const direction = [turned([1, 0, 0]), turned([0, 1, 0]), turned([0, 0, 1])].flat();
  return {
    columns,
    rows,
    slices,
    spacing: [voxel, voxel, voxel],
    origin: [...turned(origin)],
    direction: direction as VolumeGeometry["direction"],
  };
}

/** Wisdom teeth may have any direction. */
const teethOf = ({ teeth }: HeadTruth, jaw: Jaw) =>
  teeth.filter((tooth) => tooth.jaw === jaw && tooth.state !== "missing" && tooth.fdi % 10 < 8);

const trueCurvedSurface = ({ arch }: HeadTruth, jaw: Jaw, turned: Turned): CurvedSurface =>
  present(createCurvedSurface(arch[jaw].filter((_, at) => at % 8 === 0).map(turned), turned([0, 0, 1])));

const offCurvedSurface = (curvedSurface: CurvedSurface, point: Vector): number => {
  const place = patientToCurvedSurface(curvedSurface, point);
  return distance(point, curvedSurfaceToPatient(curvedSurface, { ...place, out: 0 }));
};

/** Returns the distances of the guessed line from the true one, along the part of the true one that has teeth. */
function offLine(found: CurvedSurface, truth: CurvedSurface): number[] {
  const places = found.points.map((point) => plus(point, times(found.up, found.level - dot(point, found.up))));
  return places
    .map((point) => patientToCurvedSurface(truth, point))
    .filter(({ along }) => along > 8 && along < truth.length - 8)
    .map(({ out }) => Math.abs(out));
}

function spread(values: readonly number[]): { median: number; p95: number; worst: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)];
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
}
