/** The reasons why a file of another program cannot be read. */
export const exchangeProblems = [
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
  "notGdt",
  "notIni",
] as const;
export type ExchangeProblem = (typeof exchangeProblems)[number];

/** A file of another program that is refused as a whole; `problem` says why. */
export class ExchangeError extends Error {
  readonly problem: ExchangeProblem;

  constructor(problem: ExchangeProblem, detail?: string) {
    super(detail === undefined ? problem : `${problem}: ${detail}`);
    this.problem = problem;
  }
}
