import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { Abstention } from "@arcada/contract/analysis/observation";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf, heatmapPeaks } from "./detection-postprocessing.ts";
import { frameToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

/**
 * `landmark-heatmap@1`: a channel for each landmark. The landmark is at the channel's maximum; below the threshold it
 * is not given.
 */
export function decodeLandmarks(
  outputs: Outputs,
  manifest: PackManifest,
  image: EngineImage,
): { observations: NewObservation[]; abstentions: Abstention[] } {
  const { threshold, landmarks: names } = manifest.post;
  const heatmap = readOutput(outputs, manifest.outputs.heatmap, [names.length, null, null], "unit");
  const { w, h } = manifest.input;
  const toImage = frameToImage(image, manifest.input);
  const peaks = heatmapPeaks(heatmap).map(({ score, x, y }, index) => {
    const at = toImage(x * w, y * h);
    // A margin shows nothing: a landmark there is none.
    const isInside = at[0] >= 0 && at[1] >= 0 && at[0] <= image.columns && at[1] <= image.rows;
    return { at, score, isGiven: isInside && score >= threshold, id: names[index], code: `CEPH_LM_${names[index]}` };
  });
  return {
    observations: peaks
      .filter(({ isGiven }) => isGiven)
      .map(({ id, code, score, at }) => ({
        code,
        target: { kind: "landmark", id },
        value: null,
        unit: null,
        geometry: { kind: "point", at },
        confidence: confidenceOf(score, manifest),
        method: manifest.task,
      })),
    abstentions: peaks
      .filter(({ isGiven }) => !isGiven)
      .map(({ id, code }) => ({ code, target: { kind: "landmark", id }, reason: "selfCheckFailed", detail: null })),
  };
}
