import type { AnalysisRow } from "@arcada/contract/analysis/analysis.calls";

/** The quarter turns clockwise by which the newest answer of an engine would put an image upright; null: none tells. */
export function findSuggestedTurn(
  newestFirst: readonly Pick<AnalysisRow, "instanceId" | "state" | "turn">[],
  instanceId: string,
): 0 | 1 | 2 | 3 | null {
  const answer = newestFirst.find(
    (analysis) => analysis.instanceId === instanceId && analysis.state === "done" && analysis.turn !== null,
  );
  return answer?.turn == null ? null : ((Math.round(answer.turn / 90) % 4) as 0 | 1 | 2 | 3);
}

/**
 * Returns the quarter turns of the images that lie on a side or upside down and that nobody has turned yet, by their
 * ids. What a person has turned stays as it is, whatever an engine found.
 */
export function listSuggestedTurns(
  newestFirst: Parameters<typeof findSuggestedTurn>[0],
  images: readonly string[],
  turnsOf: (image: string) => number,
): Record<string, number> {
  const untouched = images.filter((image) => turnsOf(image) === 0);
  return Object.fromEntries(
    untouched.flatMap((image) => {
      const turns = findSuggestedTurn(newestFirst, image);
      return turns === null || turns === 0 ? [] : [[image, turns] as const];
    }),
  );
}
