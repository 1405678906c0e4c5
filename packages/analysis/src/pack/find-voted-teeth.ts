import { EngineFault } from "../engine.ts";
import { intersectionOverUnion, type Box } from "./detection-postprocessing.ts";
import type { Tensor } from "./model-tensors.ts";

/** A tooth that cells of the model's output agree on, in pixels of the model's input. */
export interface VotedTooth {
  box: Box;
  /** For each number of the model, the share of the votes that it got. */
  shares: Float64Array;
  /** For each condition of the model, its probability; empty if the model gives none. */
  conditions: Float64Array;
  /** The sum of the votes. */
  votes: number;
  /** From 0 to 1, how surely the voting cells show a tooth at all. */
  certainty: number;
}

/** The model's answer for each cell. */
export interface VoteMaps {
  /** `[1 + numbers][row][column]`: the probability of no tooth, and of each number. */
  classes: Tensor;
  /** `[4][row][column]`: the distances from the cell's middle to the box of its tooth: left, up, right, down. */
  edges: Tensor;
  /** `[conditions][row][column]`: the probability of each condition, if the cell shows a tooth. */
  conditions: Tensor | null;
  /** The size of a cell in pixels of the input. */
  cell: { width: number; height: number };
}

/**
 * Cells vote for the middle of their tooth; a peak of votes is a tooth. `training/teeth/decode.py` does the same in
 * training, and a shared set of cases compares the two.
 * @param leastVotes fewer votes for one place are no tooth
 * @throws EngineFault tooMany
 */
export function findVotedTeeth(maps: VoteMaps, leastVotes: number): VotedTooth[] {
  const voters = listVoters(maps);
  const peaks = spreadVotes(sumVotes(maps, voters));
  const found: VotedTooth[] = [];
  for (let looked = 0; looked < maxPeaks; looked++) {
    const peak = highestCell(peaks.data);
    if (peaks.data[peak] <= 0) return suppressOverlaps(found);
    const [row, column] = [Math.floor(peak / peaks.columns), peak % peaks.columns];
    clearAround(peaks, row, column);
    const tooth = gatherTooth(maps, voters, {
      x: (column + 0.5) * maps.cell.width,
      y: (row + 0.5) * maps.cell.height,
      leastVotes,
    });
    if (tooth) found.push(tooth);
    else if (peaks.data[highestCell(peaks.data)] < leastPeak) return suppressOverlaps(found);
  }
  throw new EngineFault("tooMany", `more than ${maxPeaks} places with votes`);
}

/** A film has some sixty: only a broken or hostile model comes near. */
const maxPeaks = 1000;
/** Below this height of the highest peak, nothing that follows reaches the votes of a tooth. */
const leastPeak = 1.5;
/** A cell that is less probably a tooth does not vote. */
const leastTooth = 0.35;
/** Votes this near to a peak, in pixels of the input, belong to it. A tooth is higher than wide. */
const reach = { x: 8, y: 18 };
const maxOverlap = 0.45;

interface Voters {
  cells: Int32Array;
  weights: Float64Array;
  boxes: Float64Array;
  taken: Uint8Array;
}

function listVoters({ classes, edges, cell }: VoteMaps): Voters {
  const [, rows, columns] = classes.dims;
  const size = rows * columns;
  const cells = Int32Array.from(
    Array.from({ length: size }, (_, at) => at).filter((at) => 1 - classes.data[at] > leastTooth),
  );
  const boxes = new Float64Array(4 * cells.length);
  cells.forEach((at, voter) => {
    const x = ((at % columns) + 0.5) * cell.width;
    const y = (Math.floor(at / columns) + 0.5) * cell.height;
    boxes[4 * voter] = x - edges.data[at];
    boxes[4 * voter + 1] = y - edges.data[size + at];
    boxes[4 * voter + 2] = x + edges.data[2 * size + at];
    boxes[4 * voter + 3] = y + edges.data[3 * size + at];
  });
  const weights = Float64Array.from(cells, (at) => Math.fround(1 - classes.data[at]));
  return { cells, weights, boxes, taken: new Uint8Array(cells.length) };
}

interface VoteGrid {
  columns: number;
  rows: number;
  data: Float64Array;
}

function sumVotes({ classes, cell }: VoteMaps, { weights, boxes }: Voters): VoteGrid {
  const [, rows, columns] = classes.dims;
  const data = new Float64Array(rows * columns);
  const place = (middle: number, length: number): number => Math.floor(Math.min(length - 1, Math.max(0, middle)));
  weights.forEach((weight, voter) => {
    const [left, top, right, bottom] = boxes.subarray(4 * voter, 4 * voter + 4);
    const column = place((left + right) / 2 / cell.width, columns);
    const row = place((top + bottom) / 2 / cell.height, rows);
    data[row * columns + column] += weight;
  });
  return { columns, rows, data };
}

/** Votes of one tooth lie a few cells apart, further upwards than sideways. */
function spreadVotes({ columns, rows, data }: VoteGrid): VoteGrid {
  const out = new Float64Array(data.length);
  for (let dy = -2; dy <= 2; dy++)
    for (let dx = -1; dx <= 1; dx++) {
      const share = 1 + Math.abs(dy) + Math.abs(dx);
      for (let row = 0; row < rows; row++) {
        const from = ((row - dy + rows) % rows) * columns;
        for (let column = 0; column < columns; column++)
          out[row * columns + column] += data[from + ((column - dx + columns) % columns)] / share;
      }
    }
  return { columns, rows, data: out };
}

function highestCell(data: Float64Array): number {
  let best = 0;
  for (let at = 1; at < data.length; at++) if (data[at] > data[best]) best = at;
  return best;
}

function clearAround({ columns, rows, data }: VoteGrid, row: number, column: number): void {
  for (let y = Math.max(0, row - 3); y <= Math.min(rows - 1, row + 3); y++)
    data.fill(0, y * columns + Math.max(0, column - 1), y * columns + Math.min(columns, column + 2));
}

/** Returns the tooth whose middle the votes near a place mean; null if they are too few. */
function gatherTooth(
  { classes, conditions }: VoteMaps,
  { cells, weights, boxes, taken }: Voters,
  { x, y, leastVotes }: { x: number; y: number; leastVotes: number },
): VotedTooth | null {
  const near: number[] = [];
  let [votes, squares] = [0, 0];
  for (let voter = 0; voter < cells.length; voter++) {
    const at = 4 * voter;
    if (taken[voter] === 1) continue;
    if (Math.abs((boxes[at] + boxes[at + 2]) / 2 - x) >= reach.x) continue;
    if (Math.abs((boxes[at + 1] + boxes[at + 3]) / 2 - y) >= reach.y) continue;
    near.push(voter);
    votes += weights[voter];
    squares += weights[voter] ** 2;
  }
  if (votes < leastVotes) return null;
  const sides = [0, 0, 0, 0];
  for (const voter of near) {
    taken[voter] = 1;
    for (let side = 0; side < 4; side++) sides[side] += (weights[voter] * boxes[4 * voter + side]) / votes;
  }
  const [left, top, right, bottom] = sides;
  if (right <= left || bottom <= top) return null;
  const meanOf = (map: Tensor): Float64Array => averageVotes(map, near, { cells, weights }, votes);
  const numbers = meanOf(classes).subarray(1);
  const sum = numbers.reduce((total, share) => total + share, 0) || 1;
  return {
    box: { left, top, right, bottom },
    shares: numbers.map((share) => share / sum),
    conditions: conditions ? meanOf(conditions) : new Float64Array(0),
    votes,
    certainty: squares / votes,
  };
}

/** Returns the mean of each channel over the cells of these voters, each by its weight. */
function averageVotes(
  { dims: [channels, rows, columns], data }: Tensor,
  near: readonly number[],
  { cells, weights }: Pick<Voters, "cells" | "weights">,
  votes: number,
): Float64Array {
  const means = new Float64Array(channels);
  for (const voter of near)
    for (let channel = 0; channel < channels; channel++)
      means[channel] += (weights[voter] * data[channel * rows * columns + cells[voter]]) / votes;
  return means;
}

/** Keeps the tooth with more votes of two that cover each other. */
function suppressOverlaps(teeth: readonly VotedTooth[]): VotedTooth[] {
  const kept: VotedTooth[] = [];
  for (const tooth of teeth.toSorted((a, b) => b.votes - a.votes))
    if (kept.every((other) => intersectionOverUnion(tooth.box, other.box) < maxOverlap)) kept.push(tooth);
  return kept;
}
