export interface RestartRules {
  firstPauseMs: number;
  longestPauseMs: number;
  /** A death so soon after the start is one of those that are counted. */
  quickDeathMs: number;
  maxQuickDeaths: number;
}
export function keepRunning(
  run: () => Promise<number>,
  options?: { rules?: RestartRules; isEnding?: () => boolean; report?: (line: string) => unknown },
): Promise<number>;
