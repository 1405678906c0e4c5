import type { Analysed, AnalysisEngine, EnginePicture, EngineWork } from "../engine.ts";
import { measurementInfo } from "./info.ts";
import { measureVolume } from "./cbct.ts";
import { measureProfile } from "./ceph-profile.ts";
import { measureScale } from "./ceph-scale.ts";
import { shadesOf, type Shades } from "./grid.ts";
import type { Measured } from "./measured.ts";
import { measurePanorama } from "./panorama.ts";
import { measureQuality } from "./quality.ts";

/**
 * Measures the content of an image, and states nothing about health. Measures that do not apply to its kind are not
 * mentioned.
 */
export const measurement: AnalysisEngine = {
  info: measurementInfo,
  analyse: (input, work) =>
    Promise.resolve(input.kind === "picture" ? ofPicture(input, work) : measureVolume(input, work)),
};

function ofPicture(picture: EnginePicture, { signal, onProgress }: EngineWork): Analysed {
  const parts = [measureQuality, ...(measures[picture.shows] ?? [])];
  const shades = shadesOf(picture.samples);
  const found = parts.map((measure, at) => {
    signal.throwIfAborted();
    onProgress(at / parts.length);
    return measure(picture, shades);
  });
  return {
    observations: found.flatMap(({ observations }) => observations),
    abstentions: found.flatMap(({ abstentions }) => abstentions),
    artefacts: [],
  };
}

const measures: Partial<Record<EnginePicture["shows"], ((picture: EnginePicture, shades: Shades) => Measured)[]>> = {
  panorama: [measurePanorama],
  lateralCeph: [measureScale, measureProfile],
};
