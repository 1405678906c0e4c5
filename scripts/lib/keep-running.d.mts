export interface RestartRules {
  firstPauseMs: number;
  longestPauseMs: number;
  /** A death so soon after the start is one of those that are counted. */
  quickDeathMs: number;
  maxQuickDeaths: number;
}
export function keepRunning(
  run: (program: string | undefined) => Promise<number>,
  options?: {
    choose?: () => Promise<string | undefined>;
    /** The program after the first death shortly after a start. */
    fallback?: string;
    rules?: RestartRules;
    isEnding?: () => boolean;
    report?: (line: string) => unknown;
  },
): Promise<number>;
