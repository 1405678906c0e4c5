import { intersectionOverUnion, suppressNonMaxima, type Box } from "./detection-postprocessing.ts";
import { averageVotes, listVoters, type VotedTooth, type VoteMaps } from "./vote-maps.ts";

interface Candidate {
  voter: number;
  box: Box;
  /** The knowledge of a cell about its tooth: high in the middle of a sure box. */
  rank: number;
}

/**
 * Cells whose boxes agree are one tooth, the cell that knows most first. Unlike votes for a middle, this holds for teeth
 * of any direction and size. `training/film/decode_film.py` does the same.
 * @param leastVotes fewer votes are no tooth
 */
export function findFilmTeeth(maps: VoteMaps, leastVotes: number): VotedTooth[] {
  const voters = listVoters(maps, leastTooth);
  let left = Array.from(voters.weights, (weight, voter) =>
    toCandidate(voter, weight, voters.boxes.subarray(4 * voter, 4 * voter + 4), maps, voters.cells[voter]),
  )
    .filter(({ box }) => box.right > box.left && box.bottom > box.top)
    .toSorted((a, b) => b.rank - a.rank || a.voter - b.voter);
  const found: VotedTooth[] = [];
  while (left.length > 0) {
    const [seed] = left;
    const agreeing = new Set(
      left.filter((one) => one === seed || intersectionOverUnion(seed.box, one.box) >= sameTooth),
    );
    left = left.filter((one) => !agreeing.has(one));
    const tooth = averageVotes(
      maps,
      voters,
      Array.from(agreeing, ({ voter }) => voter),
    );
    if (tooth && tooth.votes >= leastVotes) found.push(tooth);
  }
  return suppressNonMaxima(found, maxOverlap, ({ votes }) => votes);
}

/** A cell that is less probably a tooth does not vote. */
const leastTooth = 0.4;
const sameTooth = 0.5;
const maxOverlap = 0.45;

function toCandidate(
  voter: number,
  weight: number,
  [left, top, right, bottom]: Float64Array,
  { edges: { dims, data } }: VoteMaps,
  at: number,
): Candidate {
  const [toLeft, toTop, toRight, toBottom] = [0, 1, 2, 3].map((side) => data[side * dims[1] * dims[2] + at]);
  // A cell in the middle of its box knows both sides of it.
  const middle =
    (Math.min(toLeft, toRight) * Math.min(toTop, toBottom)) /
    (Math.max(toLeft, toRight) * Math.max(toTop, toBottom) + 1e-6);
  return { voter, box: { left, top, right, bottom }, rank: weight * Math.sqrt(Math.max(0, middle)) };
}
