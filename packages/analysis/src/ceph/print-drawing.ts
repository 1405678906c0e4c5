import type { CephContent, CephDrawing } from "@arcada/contract/ceph/ceph.schema";
import { landmarkEntries, quarterTurnsToUpright } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import { imageOutlines } from "./outlines-in-image-pixels.ts";
import { landmarkLabel } from "./literature-labels.ts";

/** A tracing over its cephalogram for print: the head upright. `image`: columns and rows of the image as stored. */
export function createCephDrawing(content: CephContent, image: { columns: number; rows: number }): CephDrawing {
  const quarterTurns = quarterTurnsToUpright(content);
  const [columns, rows] = [image.columns, image.rows * content.aspect];
  const [width, height] = quarterTurns % 2 === 0 ? [columns, rows] : [rows, columns];
  const toUpright = ([x, y]: Point): [number, number] => {
    const [u, v] = [x, y * content.aspect];
    const rotations: readonly Point[] = [
      [u, v],
      [width - v, u],
      [width - u, height - v],
      [v, height - u],
    ];
    const [right, down] = rotations[quarterTurns]!;
    return [roundShare(right / width), roundShare(down / width)];
  };
  return {
    turns: quarterTurns,
    height: height / width,
    lines: imageOutlines(content).map(({ tissue, points }) => ({ tissue, points: points.map(toUpright) })),
    marks: landmarkEntries(content.landmarks).map(([id, point]) => ({ sign: landmarkLabel(id), at: toUpright(point) })),
  };
}

// A ten-thousandth: half a pixel of a large cephalogram.
const roundShare = (share: number): number => Math.round(share * 10_000) / 10_000;
