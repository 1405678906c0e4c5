import type { PackManifest } from "@arcada/contract/analysis/pack";
import type { Abstention } from "@arcada/contract/analysis/observation";
import type { EnginePicture, Seen } from "../engine.ts";
import { confidenceOf, peaksOf } from "./scores.ts";
import { outputOf, type Outputs } from "./tensor.ts";

/**
 * `landmark-heatmap@1`: a channel for each landmark. The landmark is at the channel's maximum; below the threshold it
 * is not given.
 */
export function landmarks(
  outputs: Outputs,
  manifest: PackManifest,
  { columns, rows }: EnginePicture,
): { observations: Seen[]; abstentions: Abstention[] } {
  const { threshold, landmarks: names } = manifest.post;
  const heatmap = outputOf(outputs, manifest.outputs.heatmap, [names.length, null, null], "unit");
  const peaks = peaksOf(heatmap).map((peak, at) => ({ ...peak, id: names[at], code: `CEPH_LM_${names[at]}` }));
  return {
    observations: peaks
      .filter(({ score }) => score >= threshold)
      .map(({ id, code, score, x, y }) => ({
        code,
        target: { kind: "landmark", id },
        value: null,
        unit: null,
        geometry: { kind: "point", at: [x * columns, y * rows] },
        confidence: confidenceOf(score, manifest),
        method: manifest.task,
      })),
    abstentions: peaks
      .filter(({ score }) => score < threshold)
      .map(({ id, code }) => ({ code, target: { kind: "landmark", id }, reason: "selfCheckFailed", detail: null })),
  };
}
