import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { Abstention } from "@arcada/contract/analysis/observation";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf, heatmapPeaks } from "./detection-postprocessing.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

/**
 * `landmark-heatmap@1`: a channel for each landmark. The landmark is at the channel's maximum; below the threshold it
 * is not given.
 */
export function decodeLandmarks(
  outputs: Outputs,
  manifest: PackManifest,
  { columns, rows }: EngineImage,
): { observations: NewObservation[]; abstentions: Abstention[] } {
  const { threshold, landmarks: names } = manifest.post;
  const heatmap = readOutput(outputs, manifest.outputs.heatmap, [names.length, null, null], "unit");
  const peaks = heatmapPeaks(heatmap).map((peak, index) => ({
    ...peak,
    id: names[index],
    code: `CEPH_LM_${names[index]}`,
  }));
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
