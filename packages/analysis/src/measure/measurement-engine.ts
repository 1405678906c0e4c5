import type { EngineResult, AnalysisEngine, EngineImage, EngineRunContext } from "../engine.ts";
import { measurementInfo } from "./measurement-engine-info.ts";
import { measureVolume } from "./measure-cbct.ts";
import { measureProfile } from "./trace-soft-tissue-profile.ts";
import { measureScale } from "./ceph-scale.ts";
import { computeHistogram, type Histogram } from "./pixel-grid.ts";
import type { MeasurementResult } from "./measurement-result.ts";
import { measurePanorama } from "./measure-panorama.ts";
import { measureQuality } from "./image-quality.ts";

/**
 * Measures the content of an image, and states nothing about health. Measures that do not apply to its kind are not
 * mentioned.
 */
export const measurementEngine: AnalysisEngine = {
  info: measurementInfo,
  analyse: (input, work) =>
    Promise.resolve(input.kind === "picture" ? measureImage(input, work) : measureVolume(input, work)),
};

function measureImage(image: EngineImage, { signal, onProgress }: EngineRunContext): EngineResult {
  const imageMeasures = [measureQuality, ...(measuresByKind[image.shows] ?? [])];
  const histogram = computeHistogram(image.samples);
  const results = imageMeasures.map((measure, index) => {
    signal.throwIfAborted();
    onProgress(index / imageMeasures.length);
    return measure(image, histogram);
  });
  return {
    observations: results.flatMap(({ observations }) => observations),
    abstentions: results.flatMap(({ abstentions }) => abstentions),
    artefacts: [],
  };
}

const measuresByKind: Partial<
  Record<EngineImage["shows"], ((image: EngineImage, histogram: Histogram) => MeasurementResult)[]>
> = {
  panorama: [measurePanorama],
  lateralCeph: [measureScale, measureProfile],
};
