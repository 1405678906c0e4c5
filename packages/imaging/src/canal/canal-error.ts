/** Why a canal cannot be traced. */
export type CanalProblem =
  /** Fewer than two points, or all at one place. */
  | "tooFewPoints"
  /** A point lies outside the volume. */
  | "outside"
  /** The points are so far apart that the search would take too much memory. */
  | "tooFar";

export class CanalError extends Error {
  readonly problem: CanalProblem;

  constructor(problem: CanalProblem) {
    super(`no canal: ${problem}`);
    this.problem = problem;
  }
}
