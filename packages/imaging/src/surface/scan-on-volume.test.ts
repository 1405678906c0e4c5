import { describe, expect, it } from "vitest";
import { cbctVolume } from "../phantom/cbct.ts";
import { makeHead } from "../phantom/head.ts";
import { archScan } from "../phantom/scan.ts";
import type { Vector } from "../view/vector.ts";
import type { VolumeGeometry } from "../view/volume-geometry.ts";
import { IsoSurface } from "./isosurface.ts";
import { crownsOf, matterOf } from "./matter.ts";
import { joined, moved, turnOf } from "./movement.ts";
import { vertexNormals } from "./normals.ts";
import { bestFit, movementOfPairs } from "./registration.ts";
import { smoothed } from "./smooth.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";

describe("a scan of a jaw on the CBCT of the same head", () => {
  // The head takes half a minute to make.
  it.runIf(isFull)("comes to lie on the teeth from three picked pairs, though half of it is gum", () => {
    const head = makeHead("scan on volume");
    const size = { columns: 150, rows: 130, slices: 62, voxel: 0.6 };
    const { data, origin, voxel, columns, rows, slices } = cbctVolume(head, size);
    const info = {
      columns,
      rows,
      slices,
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] as VolumeGeometry["direction"],
      origin: [...origin] as [number, number, number],
      spacing: [voxel, voxel, voxel] as [number, number, number],
    };
    const surface = new IsoSurface(info, crownsOf(matterOf(data)));
    for (let at = 0; at < slices; at++) surface.addSlice(data.subarray(at * columns * rows, (at + 1) * columns * rows));
    const teeth = smoothed(surface.finish(), 1);
    const jaw = archScan(head, "lower");
    // The scanner's own axes: turned by 25 degrees, 60 mm away.
    const [c, s] = [Math.cos(0.44), Math.sin(0.44)];
    const away = [c, 0, s, 60, 0, 1, 0, -30, -s, 0, c, 10] as const;
    const scan = { ...jaw, positions: Float32Array.from({ length: jaw.positions.length }) };
    for (let at = 0; at < jaw.positions.length; at += 3) {
      const [x, y, z] = jaw.positions.subarray(at, at + 3);
      scan.positions.set(moved(away, [x, y, z]), at);
    }
    const cusps = [36, 31, 46].map((fdi) => head.teeth.find((tooth) => tooth.fdi === fdi)!.neck);
    const missed: Vector[] = cusps.map(([x, y, z], at) => [x + (at - 1) * 0.8, y + 0.7, z - 0.6]);
    const { movement: start } = movementOfPairs(
      cusps.map((point) => moved(away, point)),
      missed,
    );
    const fit = bestFit(
      { positions: scan.positions, normals: vertexNormals(scan) },
      { positions: teeth.positions, normals: vertexNormals(teeth) },
      { start, keep: 0.55, reach: 3 },
    );
    const off = joined(fit.movement, away);
    const worst = Math.max(...cusps.map((point) => Math.hypot(...moved(off, point).map((v, axis) => v - point[axis]))));
    expect(worst).toBeLessThan(0.2);
    expect(turnOf(off)).toBeLessThan(0.1);
  });
});
