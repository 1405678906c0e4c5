import type { Confidence, Observation } from "./observation.ts";

export const confirmRules = {
  /** The share of such answers that must have been right on the engine's named set. */
  calibrated: 0.95,
  /** The score of an engine without calibration; it is called "high" from here. */
  score: 2 / 3,
} as const;

/**
 * Returns true for a suggestion that a dentist may confirm together with others by one key: a tooth that is present, with
 * a confidence above the limit. A missing tooth and a finding are always looked at one by one.
 */
export const canConfirmTogether = ({ code, value, confidence }: Pick<Observation, "code" | "value" | "confidence">) =>
  code === "TOOTH_BOX" && value !== false && isConfident(confidence);

function isConfident(confidence: Confidence): boolean {
  if (confidence.basis === "calibrated") return confidence.p >= confirmRules.calibrated;
  return confidence.basis === "score" && confidence.value >= confirmRules.score;
}
