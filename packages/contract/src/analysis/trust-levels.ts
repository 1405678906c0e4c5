import type { EngineInfo } from "./observation.ts";
import { trialCodes } from "./engine-trial.ts";

/** A: measured from the image; B: suggested by a model that passed its trial; C: by a model or service that was not tried here; D: entered by a person. */
export const trustLevels = ["A", "B", "C", "D"] as const;
export type TrustLevel = (typeof trustLevels)[number];

type EngineTrust = Pick<EngineInfo, "kind" | "trial">;
/**
 * Returns the level of trust in an engine's answers.
 * @param codes the codes in question: one suggestion's code, or all that the engine may answer
 */
export function trustLevelOf({ kind, trial }: EngineTrust, codes: readonly string[]): TrustLevel {
  if (kind === "measurement") return "A";
  if (kind === "human") return "D";
  // The maker's own claims do not count here; only the trial does.
  const hasPassedTrial = trial?.faults.length === 0 && codes.every((code) => trialCodes.includes(code));
  return kind === "learned" && hasPassedTrial ? "B" : "C";
}
