import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { Abstention, Confidence } from "@arcada/contract/analysis/observation";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf, heatmapPeaks } from "./detection-postprocessing.ts";
import { frameToImage, placeInFrame } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

/**
 * `landmark-heatmap@1`: a channel for each landmark. The landmark is at the channel's maximum; below the threshold it
 * is not given. A model may also tell, as a share of the frame's width, how far from there the true place may lie.
 */
export function decodeLandmarks(
  outputs: Outputs,
  manifest: PackManifest,
  image: EngineImage,
): { observations: NewObservation[]; abstentions: Abstention[] } {
  const { threshold, landmarks: names } = manifest.post;
  const heatmap = readOutput(outputs, manifest.outputs.heatmap, [names.length, null, null], "unit");
  const spreads = manifest.outputs.spread
    ? readOutput(outputs, manifest.outputs.spread, [names.length], "unit").data
    : null;
  const { w, h } = manifest.input;
  const pixelsOfFrame = image.columns / placeInFrame(image, manifest.input).columns;
  const toImage = frameToImage(image, manifest.input);
  const peaks = heatmapPeaks(heatmap).map(({ score, x, y }, index) => {
    const at = toImage(x * w, y * h);
    // A margin shows nothing: a landmark there is none.
    const isInside = at[0] >= 0 && at[1] >= 0 && at[0] <= image.columns && at[1] <= image.rows;
    const radius = spreads && Math.max(0, spreads[index]) * w * pixelsOfFrame;
    const isGiven = isInside && score >= threshold;
    return { at, score, radius, isGiven, id: names[index], code: `CEPH_LM_${names[index]}` };
  });
  return {
    observations: peaks
      .filter(({ isGiven }) => isGiven)
      .map(({ id, code, score, at, radius }) => ({
        code,
        target: { kind: "landmark", id },
        value: null,
        unit: null,
        geometry: radius ? { kind: "point", at, radius } : { kind: "point", at },
        confidence: radius ? errorOf(radius, image, manifest) : confidenceOf(score, manifest),
        method: manifest.task,
      })),
    abstentions: peaks
      .filter(({ isGiven }) => !isGiven)
      .map(({ id, code }) => ({ code, target: { kind: "landmark", id }, reason: "selfCheckFailed", detail: null })),
  };
}

/** The error that the model itself states for this image, in mm where the image says how large a pixel is. */
function errorOf(radius: number, { spacing }: EngineImage, { calibration, id }: PackManifest): Confidence {
  const set = calibration?.set ?? id;
  return spacing
    ? { basis: "error", plusMinus: (radius * (spacing.row + spacing.column)) / 2, unit: "mm", set }
    : { basis: "error", plusMinus: radius, unit: "px", set };
}
