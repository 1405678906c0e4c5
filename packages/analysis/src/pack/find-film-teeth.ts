import { intersectionOverUnion, type Box } from "./detection-postprocessing.ts";
import type { Tensor } from "./model-tensors.ts";

/** A tooth that cells of the model's output agree on, in pixels of the model's input. */
export interface FilmTooth {
  box: Box;
  /** For each kind of tooth, the share of the votes that it got. */
  shares: number[];
  /** For each condition, its probability. */
  conditions: number[];
  votes: number;
  /** From 0 to 1, how surely the voting cells show a tooth at all. */
  certainty: number;
}

/** The model's answer for each cell: see `decodeFilmVotes`. */
export interface FilmMaps {
  classes: Tensor;
  edges: Tensor;
  conditions: Tensor;
  /** The size of a cell in pixels of the input. */
  cell: { width: number; height: number };
}

interface Cell {
  at: number;
  box: Box;
  /** The probability of a tooth. */
  weight: number;
  /** The knowledge of a cell about its tooth: high in the middle of a sure box. */
  rank: number;
}

/**
 * Cells whose boxes agree are one tooth, the cell that knows most first. Unlike votes for a middle, this holds for teeth
 * of any direction and size. `training/film/decode_film.py` does the same.
 * @param leastVotes fewer votes are no tooth
 */
export function findFilmTeeth(maps: FilmMaps, leastVotes: number): FilmTooth[] {
  let left = listCells(maps).toSorted((a, b) => b.rank - a.rank || a.at - b.at);
  const found: FilmTooth[] = [];
  while (left.length > 0) {
    const [seed] = left;
    const own = left.filter((cell) => cell === seed || intersectionOverUnion(seed.box, cell.box) >= sameTooth);
    const taken = new Set(own);
    left = left.filter((cell) => !taken.has(cell));
    const tooth = averageCells(maps, own);
    if (tooth.votes >= leastVotes) found.push(tooth);
  }
  const kept: FilmTooth[] = [];
  for (const tooth of found.toSorted((a, b) => b.votes - a.votes))
    if (kept.every((other) => intersectionOverUnion(tooth.box, other.box) < covered)) kept.push(tooth);
  return kept;
}

/** A cell that is less probably a tooth does not vote. */
const leastTooth = 0.4;
const sameTooth = 0.5;
const covered = 0.45;

function listCells({ classes, edges, cell }: FilmMaps): Cell[] {
  const [, rows, columns] = classes.dims;
  const size = rows * columns;
  return Array.from({ length: size }, (_, at) => at).flatMap((at): Cell[] => {
    const weight = 1 - classes.data[at];
    if (!(weight > leastTooth)) return [];
    const [toLeft, toTop, toRight, toBottom] = [0, 1, 2, 3].map((side) => edges.data[side * size + at]);
    const x = ((at % columns) + 0.5) * cell.width;
    const y = (Math.floor(at / columns) + 0.5) * cell.height;
    const box = { left: x - toLeft, top: y - toTop, right: x + toRight, bottom: y + toBottom };
    if (box.right <= box.left || box.bottom <= box.top) return [];
    // A cell in the middle of its box knows both sides of it.
    const middle =
      (Math.min(toLeft, toRight) * Math.min(toTop, toBottom)) /
      (Math.max(toLeft, toRight) * Math.max(toTop, toBottom) + 1e-6);
    return [{ at, box, weight, rank: weight * Math.sqrt(Math.max(0, middle)) }];
  });
}

function averageCells({ classes, conditions }: FilmMaps, own: readonly Cell[]): FilmTooth {
  const votes = own.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (valueOf: (cell: Cell) => number): number =>
    own.reduce((sum, cell) => sum + cell.weight * valueOf(cell), 0) / votes;
  const meanOf = ({ dims: [channels, rows, columns], data }: Tensor, first: number): number[] =>
    Array.from({ length: channels - first }, (_, channel) =>
      mean(({ at }) => data[(channel + first) * rows * columns + at]),
    );
  const kinds = meanOf(classes, 1);
  const sum = kinds.reduce((total, share) => total + share, 0) || 1;
  return {
    box: {
      left: mean(({ box }) => box.left),
      top: mean(({ box }) => box.top),
      right: mean(({ box }) => box.right),
      bottom: mean(({ box }) => box.bottom),
    },
    shares: kinds.map((share) => share / sum),
    conditions: meanOf(conditions, 0),
    votes,
    certainty: mean(({ weight }) => weight),
  };
}
