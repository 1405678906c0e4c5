import { suppressNonMaxima } from "./detection-postprocessing.ts";
import { averageVotes, listVoters, type VotedTooth, type VoteMaps, type Voters } from "./vote-maps.ts";

/**
 * Cells vote for the middle of their tooth; a peak of votes is a tooth. `training/teeth/decode.py` does the same in
 * training, and a shared set of cases compares the two.
 * @param leastVotes fewer votes for one place are no tooth
 * @returns null if there are more places with votes than a film of jaws can have
 */
export function findVotedTeeth(maps: VoteMaps, leastVotes: number): VotedTooth[] | null {
  const voters = listVoters(maps, leastTooth);
  const taken = new Uint8Array(voters.cells.length);
  const peaks = spreadVotes(sumVotes(maps, voters));
  const found: VotedTooth[] = [];
  for (let looked = 0; looked < maxPeaks; looked++) {
    const peak = highestCell(peaks.data);
    if (peaks.data[peak] <= 0) return keepBest(found);
    if (found.length > maxTeeth) return null;
    const [row, column] = [Math.floor(peak / peaks.columns), peak % peaks.columns];
    clearAround(peaks, row, column);
    const tooth = gatherTooth(maps, voters, taken, {
      x: (column + 0.5) * maps.cell.width,
      y: (row + 0.5) * maps.cell.height,
      leastVotes,
    });
    if (tooth) found.push(tooth);
    else if (peaks.data[highestCell(peaks.data)] < leastPeak) return keepBest(found);
  }
  return null;
}

/** A film has some sixty of either: only a broken or hostile model comes near. */
const maxPeaks = 1000;
const maxTeeth = 200;
/** Below this height of the highest peak, nothing that follows reaches the votes of a tooth. */
const leastPeak = 1.5;
/** A cell that is less probably a tooth does not vote. */
const leastTooth = 0.35;
/** Votes this near to a peak, in pixels of the input, belong to it. A tooth is higher than wide. */
const reach = { x: 8, y: 18 };
const maxOverlap = 0.45;

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
  maps: VoteMaps,
  voters: Voters,
  taken: Uint8Array,
  { x, y, leastVotes }: { x: number; y: number; leastVotes: number },
): VotedTooth | null {
  const { weights, boxes } = voters;
  const near: number[] = [];
  let votes = 0;
  for (let voter = 0; voter < weights.length; voter++) {
    const at = 4 * voter;
    if (taken[voter] === 1) continue;
    if (Math.abs((boxes[at] + boxes[at + 2]) / 2 - x) >= reach.x) continue;
    if (Math.abs((boxes[at + 1] + boxes[at + 3]) / 2 - y) >= reach.y) continue;
    near.push(voter);
    votes += weights[voter];
  }
  if (votes < leastVotes) return null;
  for (const voter of near) taken[voter] = 1;
  return averageVotes(maps, voters, near);
}

const keepBest = (teeth: readonly VotedTooth[]): VotedTooth[] =>
  suppressNonMaxima(teeth, maxOverlap, ({ votes }) => votes);
