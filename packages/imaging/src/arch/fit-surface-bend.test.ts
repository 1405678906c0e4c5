import { describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead, type HeadTooth } from "@arcada/phantom/anatomy/head";
import { distance, plus, times } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { fitBend, transferBend } from "./fit-surface-bend.ts";
import { guessArch } from "./detection/detect-arches.ts";
import { createCurvedSurface, patientToCurvedSurface, curvedSurfaceToPatient } from "./curved-surface.ts";
import { jaws } from "./detection/detected-arches.ts";
import { present } from "@arcada/testing/require-present";

const size = { columns: 128, rows: 128, slices: 80, voxel: 1.2 };
const head = makeHead("bend");
const { origin, data } = createCbctVolume(head, size);
const geometry: VolumeGeometry = {
  ...size,
  spacing: [size.voxel, size.voxel, size.voxel],
  origin: [...origin],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};
const guess = present(guessArch(geometry, data));

/** Points in the middle of a tooth: its crown, its neck, and half and nearly all of its root. */
const placesOf = ({ neck, axes, shape }: HeadTooth) =>
  [0.5 * shape.crown, 0, -0.5 * shape.root, -0.9 * shape.root].map((mm) => plus(neck, times(axes.crown, mm)));

const at = (values: number[], part: number) => values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * part)];

describe("the layer of a panorama", () => {
  it("runs nearer to crowns and roots of both jaws than an upright surface, within 8 mm of it", () => {
    for (const jaw of jaws) {
      const upright = createCurvedSurface(guess[jaw], guess.up)!;
      const bend = fitBend(geometry, data, upright)!;
      const bent = { ...upright, bend };
      expect(Math.max(...bend.out.map(Math.abs))).toBeLessThanOrEqual(8);
      for (const other of jaws) {
        const teeth = head.teeth.filter(
          (tooth) => tooth.jaw === other && tooth.state !== "missing" && tooth.fdi % 10 < 8,
        );
        const off = (curvedSurface: typeof bent | typeof upright) =>
          teeth.flatMap(placesOf).map((place) => Math.abs(patientToCurvedSurface(curvedSurface, place).out));
        const [before, now] = [off(upright), off(bent)];
        expect(at(now, 0.5), `${jaw} ${other}`).toBeLessThan(0.7);
        expect(at(now, 0.5), `${jaw} ${other}`).toBeLessThan(at(before, 0.5));
        expect(at(now, 0.9), `${jaw} ${other}`).toBeLessThan(0.85 * at(before, 0.9));
      }
    }
  });

  it("runs in front of the line of the teeth at the chin, and stays upright where the volume shows no tissue", () => {
    const upright = present(createCurvedSurface(guess.lower, guess.up));
    const bend = present(fitBend(geometry, data, upright));
    // The drawn chin protrudes by 3 mm at its base.
    const chin = patientToCurvedSurface(upright, [0, head.arch.lower[Math.floor(head.arch.lower.length / 2)][1], -34]);
    expect(
      patientToCurvedSurface({ ...upright, bend }, curvedSurfaceToPatient(upright, { ...chin, out: 3 })).out,
    ).toBeLessThan(1.5);
    const nothing = fitBend(geometry, data.map((value, place) => (place % 2 ? value : 0)).fill(0, 1), upright);
    expect(nothing).toBeNull();
  });

  it("is the same layer on a surface that was moved to the cheeks", () => {
    const upright = present(createCurvedSurface(guess.lower, guess.up));
    const bend = present(fitBend(geometry, data, upright));
    const moved = present(createCurvedSurface(guess.lower, guess.up, 5));
    const over = { ...moved, bend: transferBend(bend, upright, moved) };
    for (const along of [30, 70, 100, 140])
      for (const height of [-20, -6, 5]) {
        const place = curvedSurfaceToPatient({ ...upright, bend }, { along, height, out: 5 });
        const there = patientToCurvedSurface(over, place);
        expect(distance(curvedSurfaceToPatient(over, { ...there, out: 0 }), place)).toBeLessThan(0.3);
      }
  });
});
