import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { EngineFault } from "../engine.ts";
import type { Box } from "./detection-postprocessing.ts";
import { readOutput, type Outputs, type Tensor } from "./model-tensors.ts";

/** The answer of a model whose cells vote for teeth. */
export interface VoteMaps {
  /** `[1 + kinds][row][column]`: the probability of no tooth, and of each kind or number. */
  classes: Tensor;
  /** `[4][row][column]`: the distances from the cell's middle to the box of its tooth: left, up, right, down. */
  edges: Tensor;
  /** `[conditions][row][column]`: the probability of each condition, if the cell shows a tooth. */
  conditions: Tensor | null;
  /** The size of a cell in pixels of the input. */
  cell: { width: number; height: number };
}

/** The cells that show a tooth, as columns of one table. */
export interface Voters {
  cells: Int32Array;
  /** The probability of a tooth: the weight of the vote. */
  weights: Float64Array;
  /** Left, top, right and bottom of the box for which each votes, in pixels of the input. */
  boxes: Float64Array;
}

/** A tooth that cells of the model's output agree on, in pixels of the model's input. */
export interface VotedTooth {
  box: Box;
  /** For each kind or number of the model, the share of the votes that it got. */
  shares: Float64Array;
  /** For each condition of the model, its probability; empty if the model gives none. */
  conditions: Float64Array;
  /** The sum of the votes. */
  votes: number;
  /** From 0 to 1, how surely the voting cells show a tooth at all. */
  certainty: number;
}

/** Reads the maps without their conditions. @throws EngineFault where they are not of these kinds, or too many cells */
export function readVoteMaps(
  outputs: Outputs,
  { input, outputs: names }: PackManifest,
  { kinds, maxCells }: { kinds: number; maxCells: number },
): Omit<VoteMaps, "conditions"> {
  const classes = readOutput(outputs, names.classes, [1 + kinds, null, null], "unit");
  const [, rows, columns] = classes.dims;
  if (rows * columns > maxCells) throw new EngineFault("tooMany", `${rows} × ${columns} cells`);
  const edges = readOutput(outputs, names.edges, [4, rows, columns], "any");
  return { classes, edges, cell: { width: input.w / columns, height: input.h / rows } };
}

/** @param leastTooth a cell that is less probably a tooth does not vote */
export function listVoters({ classes, edges, cell }: VoteMaps, leastTooth: number): Voters {
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
  return { cells, boxes, weights: Float64Array.from(cells, (at) => Math.fround(1 - classes.data[at])) };
}

/** Returns the tooth that these voters mean together, or null if their boxes are turned inside out. */
export function averageVotes(maps: VoteMaps, voters: Voters, chosen: readonly number[]): VotedTooth | null {
  const { weights, boxes } = voters;
  let [votes, squares] = [0, 0];
  for (const voter of chosen) {
    votes += weights[voter];
    squares += weights[voter] ** 2;
  }
  const sides = [0, 0, 0, 0];
  for (const voter of chosen)
    for (let side = 0; side < 4; side++) sides[side] += (weights[voter] * boxes[4 * voter + side]) / votes;
  const [left, top, right, bottom] = sides;
  if (right <= left || bottom <= top) return null;
  const kinds = averageMap(maps.classes, voters, chosen, votes).subarray(1);
  const sum = kinds.reduce((total, share) => total + share, 0) || 1;
  return {
    box: { left, top, right, bottom },
    shares: kinds.map((share) => share / sum),
    conditions: maps.conditions ? averageMap(maps.conditions, voters, chosen, votes) : new Float64Array(0),
    votes,
    certainty: squares / votes,
  };
}

/** Returns the mean of each channel over the cells of these voters, each by its weight. */
function averageMap(
  { dims: [channels, rows, columns], data }: Tensor,
  { cells, weights }: Voters,
  chosen: readonly number[],
  votes: number,
): Float64Array {
  const means = new Float64Array(channels);
  for (const voter of chosen)
    for (let channel = 0; channel < channels; channel++)
      means[channel] += (weights[voter] * data[channel * rows * columns + cells[voter]]) / votes;
  return means;
}
