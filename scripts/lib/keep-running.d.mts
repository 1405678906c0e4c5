export interface RestartRules {
  firstPauseMs: number;
  longestPauseMs: number;
  /** A death so soon after the start is one of those that are counted. */
  quickMs: number;
  quickDeaths: number;
}
export function keepRunning(
  run: () => Promise<number>,
  how?: { rules?: RestartRules; isEnding?: () => boolean; say?: (line: string) => unknown },
): Promise<number>;
