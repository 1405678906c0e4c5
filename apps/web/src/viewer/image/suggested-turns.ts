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
