import { describe, expect, it } from "vitest";
import { createCbctVolume } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import type { Vector } from "../geometry/vector.ts";
import type { VolumeGeometry } from "../volume/volume-geometry.ts";
import { IsosurfaceBuilder } from "./isosurface-builder.ts";
import { computeCrownThreshold, computeTissueThresholds } from "./tissue-thresholds.ts";
import { compose, transformPoint, getRotationAngle } from "../geometry/rigid-transform.ts";
import { computeVertexNormals } from "../mesh/vertex-normals.ts";
import { fitSurfaces, registerPointPairs } from "./registration.ts";
import { smoothMesh } from "./smooth-mesh.ts";
import { present } from "@arcada/testing/require-present";

const isFull = process.env["ARCADA_PROOF"] === "full";

describe("a scan of a jaw on the CBCT of the same head", () => {
  // Generating the head takes half a minute.
  it.runIf(isFull)("comes to lie on the teeth from three picked pairs, though half of it is gum", () => {
    const head = makeHead("scan on volume");
    const size = { columns: 150, rows: 130, slices: 62, voxel: 0.6 };
    const { data, origin, voxel, columns, rows, slices } = createCbctVolume(head, size);
    const info = {
      columns,
      rows,
      slices,
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] as VolumeGeometry["direction"],
      origin: [...origin] as [number, number, number],
      spacing: [voxel, voxel, voxel] as [number, number, number],
    };
    const surface = new IsosurfaceBuilder(info, computeCrownThreshold(computeTissueThresholds(data)));
    for (let at = 0; at < slices; at++) surface.addSlice(data.subarray(at * columns * rows, (at + 1) * columns * rows));
    const teeth = smoothMesh(surface.finish(), 1);
    const jaw = createArchScan(head, "lower");
    // The scanner's own axes: turned by 25 degrees, 60 mm away.
    const [c, s] = [Math.cos(0.44), Math.sin(0.44)];
    const away = [c, 0, s, 60, 0, 1, 0, -30, -s, 0, c, 10] as const;
    const scan = { ...jaw, positions: Float32Array.from({ length: jaw.positions.length }) };
    for (let at = 0; at < jaw.positions.length; at += 3) {
      const [x, y, z] = jaw.positions.subarray(at, at + 3);
      scan.positions.set(transformPoint(away, [x, y, z]), at);
    }
    const cusps = [36, 31, 46].map((fdi) => present(head.teeth.find((tooth) => tooth.fdi === fdi)).neck);
    const missed: Vector[] = cusps.map(([x, y, z], at) => [x + (at - 1) * 0.8, y + 0.7, z - 0.6]);
    const { rigidTransform: start } = registerPointPairs(
      cusps.map((point) => transformPoint(away, point)),
      missed,
    );
    const fit = fitSurfaces(
      { positions: scan.positions, normals: computeVertexNormals(scan) },
      { positions: teeth.positions, normals: computeVertexNormals(teeth) },
      { start, keep: 0.55, reach: 3 },
    );
    const off = compose(fit.rigidTransform, away);
    const worst = Math.max(
      ...cusps.map((point) => Math.hypot(...transformPoint(off, point).map((v, axis) => v - point[axis]))),
    );
    expect(worst).toBeLessThan(0.2);
    expect(getRotationAngle(off)).toBeLessThan(0.1);
  });
});
