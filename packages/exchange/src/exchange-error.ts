/** The reasons why the project of a case cannot be read. */
export const caseProblems = [
  "tooLarge",
  "notXml",
  "hasDocumentType",
  "unknownEncoding",
  "tooDeep",
  "tooManyElements",
  "notExocad",
  "notThreeShape",
  "noOrder",
  "severalOrders",
] as const;
export type CaseProblem = (typeof caseProblems)[number];
/** The reasons why a file of another program cannot be read. */
export type ExchangeProblem = CaseProblem | "notGdt" | "notIni" | "notHl7";

export const isCaseProblem = (problem: ExchangeProblem): problem is CaseProblem =>
  caseProblems.some((one) => one === problem);

/** A file of another program that is refused as a whole; `problem` says why. */
export class ExchangeError extends Error {
  readonly problem: ExchangeProblem;

  constructor(problem: ExchangeProblem, detail?: string) {
    super(detail === undefined ? problem : `${problem}: ${detail}`);
    this.problem = problem;
  }
}
