import { describe, expect, it } from "vitest";
import { cbctVolume, type CbctSize, type CbctVolume } from "../phantom/cbct.ts";
import { makeHead, type HeadTruth } from "../phantom/head.ts";
import { distance, dot, plus, times, type Vector } from "../view/vector.ts";
import type { VolumeGeometry } from "../view/volume-geometry.ts";
import { guessArch, jaws, type Jaw } from "./guess.ts";
import { archPath, patientToWall, wallToPatient, type ArchPath } from "./path.ts";

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
              const found = archPath(guess![jaw], guess!.up)!;
              fromTeeth.push(...teethOf(head, jaw).map(({ neck }) => offWall(found, turned(neck))));
              fromLine.push(...offLine(found, trueWall(head, jaw, turned)));
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

type Turned = (point: Vector) => Vector;

/** The head with these teeth lost or under metal crowns. */
function phantom(seed: string, { missing = [], crowned = [] }: Loss): { head: HeadTruth; volume: CbctVolume } {
  const head = makeHead(seed);
  const teeth = head.teeth.map((tooth) => {
    if (missing.includes(tooth.fdi)) return { ...tooth, state: "missing" as const };
    return crowned.includes(tooth.fdi) ? { ...tooth, state: "crowned" as const } : tooth;
  });
  const changed = { ...head, teeth };
  return { head: changed, volume: cbctVolume(changed, size) };
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

/** Wisdom teeth lie as they like. */
const teethOf = ({ teeth }: HeadTruth, jaw: Jaw) =>
  teeth.filter((tooth) => tooth.jaw === jaw && tooth.state !== "missing" && tooth.fdi % 10 < 8);

const trueWall = ({ arch }: HeadTruth, jaw: Jaw, turned: Turned): ArchPath =>
  archPath(arch[jaw].filter((_, at) => at % 8 === 0).map(turned), turned([0, 0, 1]))!;

const offWall = (wall: ArchPath, point: Vector): number => {
  const place = patientToWall(wall, point);
  return distance(point, wallToPatient(wall, { ...place, out: 0 }));
};

/** How far the guessed line runs from the true one, as far as the true one has teeth. */
function offLine(found: ArchPath, truth: ArchPath): number[] {
  const places = found.points.map((point) => plus(point, times(found.up, found.level - dot(point, found.up))));
  return places
    .map((point) => patientToWall(truth, point))
    .filter(({ along }) => along > 8 && along < truth.length - 8)
    .map(({ out }) => Math.abs(out));
}

function spread(values: readonly number[]): { median: number; p95: number; worst: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)];
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
}
