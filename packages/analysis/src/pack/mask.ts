import type { PackManifest } from "@arcada/contract/analysis/pack";
import type { EnginePicture, Seen } from "../engine.ts";
import { confidenceOf } from "./scores.ts";
import { outputOf, type Outputs } from "./tensor.ts";

/**
 * `mask@1`: `mask` `[class][row][column]`, the likelihood that each cell is of a class. Connected cells over the
 * threshold are one observation, with its outline.
 */
export function masks(outputs: Outputs, manifest: PackManifest, picture: EnginePicture): Seen[] {
  const { threshold, classes, leastArea } = manifest.post;
  const mask = outputOf(outputs, manifest.outputs.mask, [classes.length, null, null], "unit");
  const [, rows, columns] = mask.dims;
  const least = Math.max(1, leastArea * rows * columns);
  const toPicture = ([x, y]: readonly [number, number]): [number, number] => [
    (x * picture.columns) / columns,
    (y * picture.rows) / rows,
  ];
  return classes.flatMap((own, kind) => {
    const layer = mask.data.subarray(kind * rows * columns, (kind + 1) * rows * columns);
    return piecesOf(layer, columns, threshold)
      .filter((piece) => piece.length >= least)
      .map((piece): Seen => ({
        code: own.code,
        target: own.fdi === null ? { kind: "image" } : { kind: "tooth", fdi: own.fdi },
        value: true,
        unit: null,
        geometry: { kind: "polygon", points: outlineOf(piece, columns).map(toPicture) },
        confidence: confidenceOf(piece.reduce((sum, at) => sum + layer[at], 0) / piece.length, manifest),
        method: manifest.task,
      }));
  });
}

/** Returns connected groups of cells over the threshold (sharing a side). */
function piecesOf(layer: Float32Array, columns: number, threshold: number): number[][] {
  const open = Uint8Array.from(layer, (value) => (value >= threshold ? 1 : 0));
  const pieces: number[][] = [];
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0) continue;
    const piece = [start];
    open[start] = 0;
    for (let next = 0; next < piece.length; next++) {
      const at = piece[next];
      const beside = [
        at - columns,
        at + columns,
        at % columns > 0 ? at - 1 : -1,
        at % columns < columns - 1 ? at + 1 : -1,
      ];
      for (const one of beside) {
        if (one < 0 || one >= open.length || open[one] === 0) continue;
        open[one] = 0;
        piece.push(one);
      }
    }
    pieces.push(piece);
  }
  return pieces;
}

/** Returns the outer border of a component along the edges of its cells, clockwise, corners only. */
function outlineOf(piece: readonly number[], columns: number): [number, number][] {
  const inside = new Set(piece);
  const has = (x: number, y: number): boolean => x >= 0 && x < columns && inside.has(y * columns + x);
  const start = piece.reduce((least, at) => Math.min(least, at), Infinity);
  const [firstX, firstY] = [start % columns, Math.floor(start / columns)];
  const points: [number, number][] = [[firstX, firstY]];
  let [x, y, way] = [firstX, firstY, 0];
  // The cells ahead to the left and ahead to the right of a corner, for each direction: right, down, left, up.
  do {
    const left = has(x + aheadLeft[way][0], y + aheadLeft[way][1]);
    const right = has(x + aheadRight[way][0], y + aheadRight[way][1]);
    const turn = left ? 3 : right ? 0 : 1;
    if (turn !== 0) points.push([x, y]);
    way = (way + turn) % 4;
    [x, y] = [x + steps[way][0], y + steps[way][1]];
  } while (x !== firstX || y !== firstY);
  return thinned(points);
}

const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const aheadLeft = [
  [0, -1],
  [0, 0],
  [-1, 0],
  [-1, -1],
] as const;
const aheadRight = [
  [0, 0],
  [-1, 0],
  [-1, -1],
  [0, -1],
] as const;

const mostPoints = 400;
const thinned = (points: [number, number][]): [number, number][] => {
  const every = Math.ceil(points.length / mostPoints);
  return points.filter((_, at) => at % every === 0);
};
