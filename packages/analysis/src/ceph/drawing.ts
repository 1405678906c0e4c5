import type { CephContent, CephDrawing } from "@arcada/contract/ceph/ceph.shape";
import { entriesOf, uprightTurns } from "./frame.ts";
import type { Place } from "./geometry.ts";
import { filmOutlines } from "./on-film.ts";
import { landmarkSign } from "./signs.ts";

/** A tracing over its cephalogram for print: the head upright. `film`: columns and rows of the image as stored. */
export function cephDrawing(content: CephContent, film: { columns: number; rows: number }): CephDrawing {
  const turns = uprightTurns(content);
  const [columns, rows] = [film.columns, film.rows * content.aspect];
  const [width, height] = turns % 2 === 0 ? [columns, rows] : [rows, columns];
  const upright = ([x, y]: Place): [number, number] => {
    const [u, v] = [x, y * content.aspect];
    const turned: readonly Place[] = [
      [u, v],
      [width - v, u],
      [width - u, height - v],
      [v, height - u],
    ];
    const [right, down] = turned[turns]!;
    return [fine(right / width), fine(down / width)];
  };
  return {
    turns,
    height: height / width,
    lines: filmOutlines(content).map(({ tissue, points }) => ({ tissue, points: points.map(upright) })),
    marks: entriesOf(content.landmarks).map(([id, place]) => ({ sign: landmarkSign(id), at: upright(place) })),
  };
}

// A ten-thousandth: half a pixel of a large cephalogram.
const fine = (share: number): number => Math.round(share * 10_000) / 10_000;
