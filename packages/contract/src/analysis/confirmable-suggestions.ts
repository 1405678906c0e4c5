import type { Confidence, Observation } from "./observation.ts";

export const confirmRules = {
  /** The share of such answers that must have been right on the engine's named set. */
  calibrated: 0.95,
  /** With fewer teeth on an image, rows are often shifted by one place, and nothing is confirmed together. */
  leastTeeth: 20,
} as const;

/**
 * Returns true for a suggestion that a dentist may confirm together with others by one key: a tooth that is present, with
 * a confidence above the limit. A missing tooth and a finding are always looked at one by one.
 */
export const canConfirmTogether = ({
  code,
  target,
  value,
  confidence,
}: Pick<Observation, "code" | "target" | "value" | "confidence">): boolean =>
  code === "TOOTH_BOX" && target.kind === "tooth" && value !== false && isConfident(confidence);

/** A score without calibration says nothing about how often such answers are right. */
const isConfident = (confidence: Confidence): boolean =>
  confidence.basis === "calibrated" && confidence.p >= confirmRules.calibrated;
